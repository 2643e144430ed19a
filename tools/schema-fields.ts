/** The fields of a JSON schema as rows of a table: name, type, and what it means. */
import { RESULT_FIELDS, type Endpoint } from '@portcullis/protocol'
import { code } from './markdown.ts'

export type Schema = NonNullable<Endpoint['body']>

/** The keywords of JSON schema that our schemas use. */
interface Keywords {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly patternProperties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly items?: Keywords
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly maxItems?: number
}

interface Field {
  readonly path: string
  readonly schema: Keywords
  readonly required: boolean
}

const keywords = (schema: Schema): Keywords => schema

/** Rows `field | type | required | meaning`, nested fields by their path. */
export const requestRows = (schema: Schema): string[][] =>
  fieldsOf(keywords(schema)).map(({ path, schema: field, required }) => [
    code(path),
    `${typeOf(field)}${limits(field)}`,
    required ? 'yes' : '',
    field.description ?? '',
  ])

/** Rows `field | type | meaning` of an answer; fields of the screening result stand elsewhere. */
export const answerRows = (schema: Schema, leaveOut: readonly string[] = []): string[][] =>
  fieldsOf(keywords(schema))
    .filter(({ path }) => !leaveOut.includes(path.replace(/[.[].*$/, '')))
    .map(({ path, schema: field, required }) => [
      code(path),
      `${typeOf(field)}${required ? '' : ', optional'}`,
      field.description ?? '',
    ])

export const RESULT_NAMES: readonly string[] = Object.keys(RESULT_FIELDS)

/** Whether an answer is a screening result, with or without more. */
export function holdsResult(schema: Schema): boolean {
  const names = Object.keys(keywords(schema).properties ?? {})
  return RESULT_NAMES.every((name) => names.includes(name))
}

function fieldsOf({ properties = {}, required = [] }: Keywords, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    return [{ path, schema, required: required.includes(name) }, ...nestedFields(path, schema)]
  })
}

function nestedFields(path: string, { items, patternProperties = {}, ...schema }: Keywords) {
  const [member] = Object.values(patternProperties)
  return [
    ...fieldsOf(schema, `${path}.`),
    ...(items === undefined ? [] : fieldsOf(items, `${path}[].`)),
    ...(member === undefined ? [] : fieldsOf(member, `${path}.<name>.`)),
  ]
}

function typeOf(schema: Keywords): string {
  if (schema.const !== undefined) return value(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(value).join(', ')
  const types = [schema.type ?? 'any'].flat()
  return types.map((type) => (type === 'array' ? arrayOf(schema) : type)).join(' or ')
}

const value = (literal: unknown): string => code(JSON.stringify(literal).replaceAll('"', ''))

const arrayOf = ({ items = {} }: Keywords): string => `array of ${typeOf(items)}`

function limits(schema: Keywords): string {
  const { minLength = 0, maxLength, minimum, maximum, exclusiveMaximum, maxItems } = schema
  const parts = [
    maxLength === undefined ? '' : `${length(minLength, maxLength)} characters`,
    minimum === undefined ? '' : `from ${number(minimum)}`,
    maximum === undefined ? '' : `to ${number(maximum)}`,
    exclusiveMaximum === undefined ? '' : `below ${number(exclusiveMaximum)}`,
    maxItems === undefined ? '' : `at most ${number(maxItems)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `, ${parts.join(' ')}`
}

const length = (min: number, max: number): string =>
  min > 1 ? `${number(min)} to ${number(max)}` : `at most ${number(max)}`

/** 65536 as `65,536`, whatever the locale of the machine. */
const number = (amount: number): string => String(amount).replace(/\B(?=(\d{3})+$)/g, ',')
