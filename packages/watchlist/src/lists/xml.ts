import { SaxesParser } from 'saxes'
import type { ListId } from '../entry.ts'
import { ListRefused } from './list-refused.ts'
import type { ListFile } from './list-files.ts'

/** An element with everything in it. `text` is its own text, trimmed. Names without prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface Draft {
  name: string
  attributes: Record<string, string>
  children: Draft[]
  text: string
}

/** What to read of a file: its root element, and the elements to hand over whole, one by one. */
export interface XmlShape {
  readonly root: string
  readonly elements: readonly string[]
}

/**
 * Reads a file as a stream and gives each wanted element to `visit` when it is complete; the rest
 * is checked and dropped.
 *
 * @throws ListRefused when the file is not well-formed, ends early or has another root element.
 */
export function readXml(
  list: ListId,
  name: string,
  file: ListFile,
  shape: XmlShape,
  visit: (element: XmlElement) => void,
): void {
  const refuse = (reason: string) => new ListRefused(list, `${name} ${reason}`)
  const parser = new SaxesParser({ position: false, xmlns: false })
  const wanted = new Set(shape.elements)
  const open: Draft[] = []
  let root = ''
  parser.on('error', (error) => {
    throw refuse(`is not well-formed: ${error.message}`)
  })
  parser.on('opentag', (tag) => {
    const element = {
      name: localName(tag.name),
      attributes: tag.attributes,
      children: [],
      text: '',
    }
    root ||= element.name
    if (root !== shape.root) throw refuse(`is no ${shape.root} but begins with <${tag.name}>`)
    if (open.length > 0 || wanted.has(element.name)) open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element === undefined) return
    element.text = element.text.trim()
    const parent = open.at(-1)
    if (parent === undefined) visit(element)
    else parent.children.push(element)
  })
  for (const piece of file.pieces()) parser.write(piece)
  parser.close()
  if (root === '') throw refuse('is empty')
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The text of the first child of that name; empty when there is none. */
export function childText(element: XmlElement, name: string): string {
  return child(element, name)?.text ?? ''
}

/** The first child of that name. */
export function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((one) => one.name === name)
}

/** The children of that name inside the first child named `parent`. */
export function childrenIn(element: XmlElement, parent: string, name: string): XmlElement[] {
  return child(element, parent)?.children.filter((one) => one.name === name) ?? []
}
