/**
 * A name with web encoding undone, two layers of it at most: percent escapes (`%20`), tags (`<b>`),
 * numeric or basic HTML entities (`&#66;`), escapes of JSON (`\u0042`). For what a caller sends,
 * never for what a list publishes. Text without escapes is returned unchanged.
 */
export function unescapeName(text: string): string {
  const plain = unescapeOnce(text)
  return plain === text ? text : unescapeOnce(plain)
}

function unescapeOnce(text: string): string {
  let plain = text
  if (/%[0-9a-f]{2}/i.test(plain)) plain = plain.replace(/(?:%[0-9a-f]{2})+/gi, decodePercent)
  if (plain.includes('<')) plain = plain.replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
  if (plain.includes('&'))
    plain = plain.replace(
      /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|nbsp|apos));?/gi,
      decodeEntity,
    )
  if (plain.includes('\\'))
    plain = plain.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_all, wide, narrow) =>
      String.fromCharCode(Number.parseInt(String(wide ?? narrow), 16)),
    )
  return plain
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  apos: "'",
}

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return ' '
  }
}

function decodeEntity(_all: string, hex?: string, decimal?: string, named?: string): string {
  if (named !== undefined) return NAMED[named.toLowerCase()] ?? ' '
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}
