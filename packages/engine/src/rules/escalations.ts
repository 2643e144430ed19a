/** Verdict effects outside the specification's table, after all of its lines, in this order. */
import type { Rule } from '../rule.ts'
import { attestationStale } from './behaviour.ts'
import {
  adverseMediaFlag,
  extendedSanctionsBlock,
  extendedSanctionsMatch,
  extendedUnavailable,
  globalSanctionsMatch,
  listsStale,
  pepMatch,
  publicOfficialMatch,
} from './lists.ts'
import { nearMatch } from './sanctions.ts'
import { rule } from './table.ts'

// prettier-ignore
export const ESCALATIONS: readonly Rule[] = Object.freeze([
  //    id                                 code                        verdict   weight trigger                                                                       predicate
  rule('EXTENDED_SANCTIONS_MATCH',        'EXTENDED_SANCTIONS',       'BLOCK',   95, 'Extended provider scores a sanctions match above 0.9',                          extendedSanctionsBlock),
  rule('ATTESTATION_STALE',               'ATTESTATION_FRESH',        'REVIEW',  35, 'Autonomous agent, amount above 10,000 USD, no human attestation within 24 hours', attestationStale),
  rule('GLOBAL_SANCTIONS_MATCH',          'GLOBAL_SANCTIONS',         'REVIEW',  60, 'Counterparty is on a UN, EU or UK list',                                        globalSanctionsMatch),
  rule('PUBLIC_OFFICIAL_MATCH',           'PUBLIC_OFFICIAL',          'REVIEW',  40, 'Counterparty is a current US federal legislator',                               publicOfficialMatch),
  rule('OFAC_NEAR_MATCH',                 'OFAC_NEAR_MATCH',          'REVIEW',  55, 'A name resembles a listed one, below the score that blocks',                    nearMatch),
  rule('EXTENDED_SANCTIONS_MATCH',        'EXTENDED_SANCTIONS',       'REVIEW',  55, 'Extended provider scores a sanctions match from 0.7 to 0.9',                    extendedSanctionsMatch),
  rule('PEP_MATCH',                       'PEP',                      'REVIEW',  40, 'Extended provider names a politically exposed person',                          pepMatch),
  rule('ADVERSE_MEDIA_FLAG',              'ADVERSE_MEDIA',            'REVIEW',  40, 'Adverse media in a flagged category',                                           adverseMediaFlag),
  rule('EXTENDED_SCREENING_UNAVAILABLE',  'EXTENDED_SCREENING',       'REVIEW',  30, 'Extended screening was asked for and did not answer',                           extendedUnavailable),
  rule('LISTS_STALE',                     'LISTS_FRESH',              'REVIEW',  25, 'A list is older than 36 hours (in production)',                                 listsStale),
])
