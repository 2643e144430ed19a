/**
 * Payments of which no two are alike. Counterparties are new nearly every time: the service
 * remembers the answer for a name that it was asked lately, and a benchmark that asks for few
 * names would measure that memory.
 */
import { cleanNames } from './inputs.ts'
import { type Random, seededRandom } from './random.ts'

const HEX = '0123456789abcdef'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** With one of these in front, 43 base58 letters are 32 bytes: a Solana account. */
const BASE58_HIGH = BASE58.slice(5)
const CHAINS = ['ETH', 'BASE', 'POLYGON', 'SOL', 'TRON', 'BASE'] as const
const PROTOCOLS = [undefined, undefined, 'x402', 'Uniswap v4'] as const

export interface Payment {
  readonly amount: number
  readonly chain: string
  readonly rail: string
  readonly cpWallet: string
  readonly cpName: string
  readonly protocol?: string
}

/** An endless supply; the same for the same seed. */
export function payments(seed: number): () => Payment {
  const random = seededRandom(seed)
  const name = counterparties(random)
  return () => {
    const chain = random.pick(CHAINS)
    const protocol = random.pick(PROTOCOLS)
    return {
      amount: (1 + random.below(50_000)) / 100,
      chain,
      rail: 'USDC',
      cpWallet: wallet(random, chain),
      cpName: name(),
      ...(protocol && { protocol }),
    }
  }
}

/** Well-formed, so that no payment is REVIEW for its wallet (R24). */
function wallet(random: Random, chain: string): string {
  if (chain === 'SOL') return random.characters(BASE58_HIGH, 1) + random.characters(BASE58, 42)
  if (chain === 'TRON') return `41${random.characters(HEX, 40)}`
  return `0x${random.characters(HEX, 40)}`
}

/** The first word of one name with the rest of another: millions of them, of every script. */
function counterparties(random: Random): () => string {
  const { people, companies } = cleanNames()
  return () => {
    const from = random.below(2) === 0 ? people : companies
    const [first = 'Acme'] = random.pick(from).split(' ')
    const rest = random.pick(from).split(' ').slice(1)
    return [first, ...rest, ...(rest.length === 0 ? [random.characters(HEX, 6)] : [])].join(' ')
  }
}
