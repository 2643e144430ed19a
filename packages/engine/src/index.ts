/** How we decide: facts in, verdict out. */
export * from './evaluate.ts'
export * from './facts.ts'
export * from './rule.ts'
export { ESCALATIONS } from './rules/escalations.ts'
export { RULES } from './rules/table.ts'
export * from './signals.ts'
export * from './thresholds.ts'
