/** What the oracle remembers: plain records, and every screen and approval that ever was. */
import type { PartyId, ProtocolText, Text, WalletText } from './catalogue.ts'
import type { ProviderMood, WorldSettings } from './world.ts'

export const DAY = 86_400_000

/** Micro-USD as a plain number: exact far beyond what a simulation spends. */
export type Micro = number

export interface Hours {
  readonly timeZone: string
  readonly days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]
  readonly start: string
  readonly end: string
}

/** A spend policy on the wire; a null in a change clears. */
export interface Policy {
  readonly maxSingleTxUSDC?: number
  readonly dailyLimitUSDC?: number
  readonly allowedChains?: string[]
  readonly allowedRails?: string[]
  readonly allowedCounterpartyTypes?: string[]
  readonly allowedProtocols?: string[]
  readonly counterpartyWhitelist?: string[]
  readonly counterpartyScreening?: 'OFAC' | 'OFAC+CONS'
  readonly noMixerProtocols?: boolean
  readonly maxScreensPerMinute?: number
  readonly operatingHours?: Hours
}
export type PolicyChange = { readonly [Name in keyof Policy]?: Policy[Name] | null }

export interface ModelOperator {
  readonly id: string
  readonly name: Text
  wallet: WalletText | null
}

/** A credential that was handed out; `issuedAt` and `expiresAt` in milliseconds. */
export interface ModelToken {
  readonly text: string
  readonly agentId: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface ModelAgent {
  readonly id: string
  readonly operatorId: string
  readonly parentId: string | null
  readonly depth: number
  readonly type: 'autonomous' | 'supervised'
  readonly legalName: Text
  readonly wallet: WalletText | null
  readonly hasEin: boolean
  model: string | null
  modelAtIssuance: string | null
  policy: Policy
  status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  transferred: boolean
  fleetId: string | null
  attestedAt: number | undefined
  expiresAt: number
  /** The newest last. */
  readonly tokens: ModelToken[]
}

export interface ModelFleet {
  readonly id: string
  readonly operatorId: string
  limit: Micro
  suspended: boolean
}

export interface ModelUser {
  readonly token: string
  readonly agentId: string
  readonly name: Text
  readonly expiresAt: number
}

export type Verdict = 'CLEAR' | 'REVIEW' | 'BLOCK' | 'UNKNOWN'

/** One screen that was answered. */
export interface ScreenEvent {
  readonly txnId: string
  readonly operatorId: string
  readonly agentId: string | null
  readonly at: number
  readonly verdict: Verdict
  readonly amount: Micro
  disposition: string | undefined
}

/** Money that left: a CLEAR screen or an approval, and everybody whose day it counts for. */
export interface SpendEvent {
  readonly at: number
  readonly amount: Micro
  readonly holders: readonly string[]
}

export interface Payment {
  readonly amount: Micro
  readonly chain: string | undefined
  readonly rail: string | undefined
  readonly name: Text | undefined
  readonly wallet: WalletText | undefined
  readonly type: string | undefined
  readonly protocol: ProtocolText | undefined
  /** Asks for the extended lists. */
  readonly extended: boolean
  /** A wallet of a party hides in the name. */
  readonly hidden: PartyId | undefined
}

/** What the request says of who is paying. */
export type Bearer =
  | { readonly kind: 'agent'; readonly token: ModelToken }
  /** Not a credential at all, or none. */
  | { readonly kind: 'missing' | 'malformed'; readonly text: string | undefined }
  /** A credential that is not ours, or not for this. */
  | { readonly kind: 'invalid'; readonly text: string }

export interface ScreenCase {
  readonly operatorId: string
  readonly bearer: Bearer
  readonly payment: Payment
  /** `forged` is a token that no user has. */
  readonly user: ModelUser | 'forged' | undefined
}

export class Model {
  now: number
  readonly settings: WorldSettings
  readonly operators = new Map<string, ModelOperator>()
  readonly agents = new Map<string, ModelAgent>()
  readonly fleets = new Map<string, ModelFleet>()
  readonly users: ModelUser[] = []
  readonly screens: ScreenEvent[] = []
  readonly spends: SpendEvent[] = []
  readonly registrations: { readonly email: string; readonly at: number }[] = []
  /** Undefined while no list is loaded. */
  listed: Set<PartyId> | undefined = new Set()
  listsLoadedAt: number
  mood: ProviderMood = 'clear'

  constructor(now: number, settings: WorldSettings) {
    this.now = now
    this.listsLoadedAt = now
    this.settings = settings
  }

  /** The agent first, then its parents up to the root. */
  chainOf(agentId: string): ModelAgent[] {
    const agent = this.agents.get(agentId)
    if (agent === undefined) return []
    return [agent, ...(agent.parentId === null ? [] : this.chainOf(agent.parentId))]
  }

  fleetsOf(chain: readonly ModelAgent[]): ModelFleet[] {
    const ids = new Set(chain.flatMap(({ fleetId }) => fleetId ?? []))
    return [...ids].map((id) => this.fleets.get(id)!)
  }

  /** Everybody whose day a payment of the agent counts for. */
  holdersOf(agentId: string): string[] {
    const chain = this.chainOf(agentId)
    return [...chain, ...this.fleetsOf(chain)].map(({ id }) => id)
  }

  /** Whether every link of the chain stands, and every fleet. */
  mayPay(agentId: string): boolean {
    const chain = this.chainOf(agentId)
    return (
      this.fleetsOf(chain).every(({ suspended }) => !suspended) &&
      chain.every(
        ({ status, transferred, expiresAt }) =>
          status === 'ACTIVE' && !transferred && expiresAt > this.now,
      )
    )
  }

  spentOn(holder: string, at: number): Micro {
    return this.spends
      .filter((spend) => sameDay(spend.at, at) && spend.holders.includes(holder))
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  usedInMonth(operatorId: string, at: number): number {
    const date = new Date(at)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const [from, to] = [Date.UTC(year, month), Date.UTC(year, month + 1)]
    return this.screens.filter(
      (screen) =>
        screen.operatorId === operatorId &&
        screen.verdict !== 'UNKNOWN' &&
        screen.at >= from &&
        screen.at < to,
    ).length
  }

  screensOf(agentId: string): ScreenEvent[] {
    return this.screens.filter((screen) => screen.agentId === agentId)
  }
}

export const dayOf = (at: number): number => Math.floor(at / DAY)
export const sameDay = (a: number, b: number): boolean => dayOf(a) === dayOf(b)
export const hourOf = (at: number): number => new Date(at).getUTCHours()
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)
export const microOf = (usd: number): Micro => Math.round(usd * 1_000_000)

/** A limit as the file has it, in USD. */
export const limitMicro = (usd: number | bigint | null): Micro | undefined =>
  usd === null ? undefined : microOf(Number(usd))
