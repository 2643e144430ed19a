/** What a newcomer needs to see after the start: where it is, what it knows, and what to try. */
import { randomBytes } from 'node:crypto'
import type { ListSummary } from '@portcullis/watchlist'
import { FALLBACK_SOURCE } from '../adapters/lists/build-lists.ts'
import { ageText } from '../app/health.ts'
import type { Config } from '../config.ts'
import type { Service } from '../main.ts'

export function greeting(service: Service, config: Config): string {
  const sections = [
    `Portcullis ${service.env.settings.version} listens on ${service.address}`,
    listsSection(service),
    ...ignoredSection(config),
    commandsSection(service.address),
  ]
  return `\n${sections.join('\n\n')}\n\n`
}

function listsSection({ env }: Service): string {
  const lists = env.watchlists.current()?.lists ?? []
  if (lists.length === 0) {
    return `No OFAC list is loaded: every screen answers 503 until one is.
Set LISTS_DIR to a folder with sdn.csv, alt.csv and sdn_comments.csv as OFAC publishes them.`
  }
  const now = env.clock.now()
  const lines = lists.map((list) => `  ${describe(list, now)}`)
  return ['Sanctions lists:', ...lines, ...fallbackWarning(lists)].join('\n')
}

const describe = (list: ListSummary, now: number): string =>
  `${list.id}  ${count(list.entries)} entries, ${count(list.names)} names, ` +
  `${count(list.addresses)} wallets, ${ageText(now - Date.parse(list.loadedAt))} old (${list.source})`

const count = (value: number): string => value.toLocaleString('en-US')

function fallbackWarning(lists: readonly ListSummary[]): string[] {
  if (lists.every(({ source }) => source !== FALLBACK_SOURCE)) return []
  return [
    '',
    '  *** This is the embedded fallback: a handful of well-known designations, for trying things',
    '  *** out. It is NOT the SDN list. The first sync replaces it (portcullis lists status);',
    '  *** without a network, or with LISTS_SYNC=off, set LISTS_DIR before any real payment is screened.',
  ]
}

const ignoredSection = ({ ignored }: Config): string[] =>
  ignored.length === 0 ? [] : [`Without effect in this version: ${ignored.join(', ')}`]

/** Three commands that work as printed, in one shell, with nothing but curl and Node. */
function commandsSection(address: string): string {
  const email = `you+${randomBytes(3).toString('hex')}@example.com`
  const json = `-H 'Content-Type: application/json'`
  return `Try it (paste into a shell):

  # 1. register: an operator credential and a first agent
  OPERATOR=$(curl -s ${address}/v1/operators/register ${json} -d '{"legalName":"Example Robotics","email":"${email}"}'); echo "$OPERATOR"

  # 2. screen a payment
  SCREEN=$(node -p 'JSON.stringify({ token: JSON.parse(process.argv[1]).agentToken, amount: 250, chain: "BASE", cpName: "Acme Corp", cpWallet: "0x52908400098527886E0F7030069857D2E4169EE7" })' "$OPERATOR" | curl -s ${address}/v1/screen ${json} -H "Authorization: Bearer $(node -p 'JSON.parse(process.argv[1]).operatorToken' "$OPERATOR")" -d @-); echo "$SCREEN"

  # 3. verify its receipt
  node -p 'JSON.stringify({ receipt: JSON.parse(process.argv[1]).receipt })' "$SCREEN" | curl -s ${address}/v1/receipts/verify ${json} -d @-`
}
