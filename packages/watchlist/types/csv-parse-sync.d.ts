/**
 * The one function of csv-parse that this package uses. The library's own declarations pull in
 * Node's types, which would let Node's API into a package whose purity the compiler checks.
 */
export declare function parse(text: string, options: { bom: boolean }): string[][]
