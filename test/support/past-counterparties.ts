/** Many counterparties of the past, written straight into the store of a service that is not up. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counterpartyKeys } from '../../packages/server/src/app/history/counterparty-keys.ts'
import { keyNumbers } from '../../packages/server/src/store/history/counterparty-numbers.ts'

const GIVEN = 'Amber Birch Cedar Dune Elm Fjord Grove Heath Isle Jade Kelp Lark Moss Nook Oak Pine'
const TRADE = 'Bakery Carpentry Dairy Foundry Glassworks Joinery Laundry Masonry Nursery Pottery'

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const wallet = (at: number): string => `0x${digest(`wallet ${at}`).slice(0, 40)}`

/** A name of nobody that differs from every other one in a word of its own. */
export const pastName = (at: number): string => {
  const [given, trade] = [GIVEN.split(' '), TRADE.split(' ')]
  const own = digest(`name ${at}`)
    .slice(0, 10)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(+digit))
  return `${given[at % given.length]} ${own} ${trade[(at >> 4) % trade.length]}`
}

export const pastWallet = wallet

/** Every operator has screened its share of `count` counterparties, each CLEAR. */
export function addPastCounterparties(
  dataDir: string,
  operators: readonly string[],
  count: number,
  at: number,
): void {
  const db = new DatabaseSync(join(dataDir, 'portcullis.sqlite'))
  const insert = db.prepare(
    `insert into counterparties (operator_id, name_key, wallet_key, name, wallet, clears, reviews,
       blocks, first_at_ms, last_at_ms, last_verdict, agent_id, agents)
     values (?, ?, ?, ?, ?, 1, 0, 0, ?, ?, 'CLEAR', 'agt_past', 1)`,
  )
  db.exec('begin')
  for (let n = 0; n < count; n++) {
    const keys = counterpartyKeys({ digest }, pastName(n), wallet(n))
    if (keys === undefined) throw new RangeError('a past counterparty has no key')
    const numbers = keyNumbers(keys)
    const operator = operators[n % operators.length] ?? ''
    const texts = [numbers.name, numbers.wallet, pastName(n), wallet(n)]
    insert.run(operator, ...texts, BigInt(at), BigInt(at))
  }
  db.exec('commit')
  db.close()
}
