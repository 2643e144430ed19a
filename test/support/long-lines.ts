/** Lines that are wider than the page, and could be narrower. */
import ts from 'typescript'

const COLUMNS = 100

/** A literal may be followed by a bracket and a comma that cannot leave it. */
const CLOSING_CHARACTERS = 3

/**
 * Numbers of the lines that are too long. Two kinds are let pass: a table under `prettier-ignore`,
 * whose columns are its point, and a text or pattern that runs past the edge, which only a change
 * of its value could break.
 */
export function longLines(path: string, text: string): number[] {
  const long = text
    .split('\n')
    .flatMap((line, index) => ([...line].length > COLUMNS ? [index] : []))
  if (long.length === 0) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const starts = source.getLineStarts()
  const allowed = unbreakable(source)
  return long
    .filter((line) => {
      const edge = (starts[line] ?? 0) + COLUMNS - CLOSING_CHARACTERS
      return !allowed.some(([start, end]) => start <= edge && edge < end)
    })
    .map((line) => line + 1)
}

function unbreakable(source: ts.SourceFile): (readonly [start: number, end: number])[] {
  const ranges: (readonly [number, number])[] = []
  const visit = (node: ts.Node): void => {
    const leading = source.text.slice(node.pos, node.getStart(source))
    if (isText(node) || leading.includes('prettier-ignore')) {
      ranges.push([node.getStart(source), node.end])
    } else ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return ranges
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateExpression(node)
