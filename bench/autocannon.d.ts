/** The part of autocannon that the benchmark uses; the package has no types of its own. */
declare module 'autocannon' {
  interface Request {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** Called before every request, so that no two are alike. */
    readonly setupRequest?: (request: Request) => Request
    readonly onResponse?: (status: number, body: string) => void
  }
  interface Run extends PromiseLike<{ readonly errors: number }> {
    on(
      event: 'response',
      heard: (client: unknown, status: number, bytes: number, ms: number) => void,
    ): void
  }
  export default function autocannon(options: {
    readonly url: string
    readonly connections: number
    readonly duration?: number
    /** Payments in all, instead of a duration. */
    readonly amount?: number
    readonly sampleInt?: number
    readonly requests: readonly Request[]
  }): Run
}
