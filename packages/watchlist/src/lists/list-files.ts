/**
 * One published file, as text in pieces, so that a file of a hundred megabytes never stands in
 * memory whole.
 */
export interface ListFile {
  readonly pieces: () => Iterable<string>
}

/** The files of one list under their upstream names in lower case. */
export type ListFiles = ReadonlyMap<string, ListFile>

/** A file whose text is at hand. */
export function listFile(text: string): ListFile {
  return { pieces: () => [text] }
}

/** The whole text of a file. */
export function textOf(file: ListFile): string {
  return [...file.pieces()].join('')
}

/** The first piece of a file, where publishers write the date. */
export function headOf(file: ListFile): string {
  for (const piece of file.pieces()) return piece
  return ''
}
