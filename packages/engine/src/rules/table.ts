/**
 * THE POLICY. One line a rule, in the order of the specification (spec: Screening precedence).
 *
 * UNKNOWN outranks BLOCK, BLOCK outranks REVIEW, and within a verdict the earlier line decides: so
 * a mixer payment on a forbidden chain is BLOCK although R9 stands before R14 (decisions page,
 * section 2).
 */
import type { Predicate, Rule } from '../rule.ts'
import { unusualHour, unusualVelocity } from './behaviour.ts'
import {
  credentialNotActive,
  modelChanged,
  noCredential,
  ownershipTransferred,
} from './credential.ts'
import {
  chainNotAllowed,
  counterpartyNotWhitelisted,
  counterpartyTypeNotAllowed,
  mixerProtocol,
  protocolNotAllowed,
  railNotAllowed,
} from './policy.ts'
import {
  chainRailMismatch,
  counterpartyUnidentified,
  operatorEinMissing,
  walletChainMismatch,
} from './rails.ts'
import {
  counterpartyNameListed,
  counterpartyWalletListed,
  operatorNameListed,
  operatorWalletListed,
  operatorWalletListedAtIssuance,
} from './sanctions.ts'
import {
  dailyLimitExceeded,
  fleetLimitExceeded,
  railCeilingExceeded,
  singleTxLimitExceeded,
} from './spend.ts'

export function rule(
  id: string,
  code: string,
  verdict: Rule['verdict'],
  weight: number,
  trigger: string,
  predicate: Predicate,
): Rule {
  return Object.freeze({ id, code, verdict, weight, trigger, predicate })
}

// prettier-ignore
export const RULES: readonly Rule[] = Object.freeze([
  //    id                             code                      verdict    weight trigger                                                                     predicate
  rule('R1_NO_CREDENTIAL',            'CREDENTIAL_PRESENT',     'UNKNOWN',  50, 'No token, or structurally invalid JWT',                                       noCredential),
  rule('R2_CREDENTIAL_STATUS',        'CREDENTIAL_VALID',       'BLOCK',    90, 'Credential invalid, or its status is REVOKED, EXPIRED or SUSPENDED',          credentialNotActive),
  rule('R3_OPERATOR_OFAC_ISSUANCE',   'OFAC_OP_ISSUANCE',       'BLOCK',   100, 'Operator wallet matched OFAC at issuance',                                    operatorWalletListedAtIssuance),
  rule('R4_OPERATOR_WALLET_LIVE',     'OFAC_OP_WALLET',         'BLOCK',   100, 'Operator wallet matches live SDN, re-screened every call',                    operatorWalletListed),
  rule('R5_OPERATOR_NAME_OFAC',       'OFAC_OP_NAME',           'BLOCK',   100, 'Operator legal name matches the OFAC entity list',                            operatorNameListed),
  rule('R6_COUNTERPARTY_WALLET_OFAC', 'OFAC_CP_WALLET',         'BLOCK',   100, 'Counterparty wallet matches SDN',                                             counterpartyWalletListed),
  rule('R7_COUNTERPARTY_NAME_OFAC',   'OFAC_CP_NAME',           'BLOCK',   100, 'Counterparty name matches the OFAC entity list',                              counterpartyNameListed),
  rule('R8_OWNERSHIP_TRANSFER',       'OWNERSHIP_TRANSFER',     'BLOCK',    85, 'Ownership transfer flag set; credential must be re-issued',                   ownershipTransferred),
  rule('R9_CHAIN_POLICY',             'CHAIN_POLICY',           'REVIEW',   40, 'Chain not in allowedChains',                                                  chainNotAllowed),
  rule('R10_SINGLE_TX_LIMIT',         'SINGLE_TX_LIMIT',        'REVIEW',   40, 'Amount exceeds maxSingleTxUSDC',                                              singleTxLimitExceeded),
  rule('R11_DAILY_LIMIT',             'DAILY_LIMIT',            'REVIEW',   40, 'Amount would exceed dailyLimitUSDC',                                          dailyLimitExceeded),
  rule('R12_FLEET_DAILY_LIMIT',       'FLEET_DAILY_LIMIT',      'REVIEW',   40, 'Fleet aggregate daily limit would be exceeded',                               fleetLimitExceeded),
  rule('R13_COUNTERPARTY_WHITELIST',  'COUNTERPARTY_WHITELIST', 'REVIEW',   30, 'Counterparty not on the approved whitelist (when a whitelist is set)',        counterpartyNotWhitelisted),
  rule('R14_MIXER_PROTOCOL',          'MIXER_PROTOCOL',         'BLOCK',    95, 'protocol matches a known mixer/privacy protocol',                             mixerProtocol),
  rule('R15_MODEL_CHANGED',           'MODEL_CHANGED',          'REVIEW',   30, 'Underlying model changed since issuance',                                     modelChanged),
  rule('R16_VELOCITY_FLAG',           'VELOCITY_SPIKE',         'REVIEW',   35, 'Unusual transaction velocity',                                                unusualVelocity),
  rule('R17_UNUSUAL_HOUR',            'UNUSUAL_HOUR',           'REVIEW',   20, 'Outside normal operating hours',                                              unusualHour),
  rule('R18_RAIL_POLICY',             'RAIL_POLICY',            'REVIEW',   40, 'rail is given and is not in a non-empty allowedRails',                        railNotAllowed),
  rule('R19_RAIL_NETWORK_CEILING',    'RAIL_NETWORK_CEILING',   'REVIEW',   40, 'Amount above the network ceiling of the rail',                                railCeilingExceeded),
  rule('R20_CHAIN_RAIL_MISMATCH',     'CHAIN_RAIL_MISMATCH',    'REVIEW',   30, 'Chain and rail cannot belong together',                                       chainRailMismatch),
  rule('R21_COUNTERPARTY_TYPE_POLICY','COUNTERPARTY_TYPE_POLICY','REVIEW',  30, 'cpType is not in a non-empty allowedCounterpartyTypes',                       counterpartyTypeNotAllowed),
  rule('R22_PROTOCOL_POLICY',         'PROTOCOL_POLICY',        'REVIEW',   30, 'protocol is given and is not in a non-empty allowedProtocols',                protocolNotAllowed),
  rule('R23_COUNTERPARTY_UNIDENTIFIED','COUNTERPARTY_IDENTIFIED','REVIEW',  35, 'Neither name nor wallet, or a crypto chain without wallet, or a bank rail without name', counterpartyUnidentified),
  rule('R24_WALLET_CHAIN_MISMATCH',   'WALLET_CHAIN_MISMATCH',  'REVIEW',   35, 'Wallet malformed or of another address family than the chain',                walletChainMismatch),
  rule('R25_OPERATOR_EIN_MISSING',    'OPERATOR_EIN_MISSING',   'REVIEW',   25, 'Bank rail or chain and the agent has no operatorEIN',                         operatorEinMissing),
])
