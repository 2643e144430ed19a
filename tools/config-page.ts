/** docs/config.md, from the configuration table. */
import { REFUSED, VARIABLES, WITHOUT_EFFECT } from '../packages/server/src/config.ts'
import { code, generatedFrom, page, sentence, table } from './markdown.ts'

const INTRODUCTION = `The service is configured by environment variables alone, and every one of them is here. They are
read once, at the start. When one is not acceptable the service does not start, and names all that
are wrong at once. An empty value counts as not set.`

const variableRow = ([name, variable]: [string, { meaning: string; fallback?: string }]) => [
  code(name),
  variable.fallback === undefined ? 'not set' : code(variable.fallback),
  sentence(variable.meaning),
]

const refusedRow = ([name, why]: [string, string]) => [code(name), sentence(why)]

export const configPage = (): string =>
  page(
    '# Configuration',
    generatedFrom('packages/server/src/config.ts'),
    INTRODUCTION,
    table(['Variable', 'Default', 'Meaning'], Object.entries(VARIABLES).map(variableRow)),
    '## Refused',
    'With one of these set the service does not start, because running without it would not be what was asked for.',
    table(['Variable', 'Why'], Object.entries(REFUSED).map(refusedRow)),
    '## Without effect',
    'These belong to the interface and have no effect in this version. When one is set the service starts and says so.',
    WITHOUT_EFFECT.map((name) => `- ${code(name)}`).join('\n'),
  )
