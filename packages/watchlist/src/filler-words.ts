/**
 * Words that say how a party is constituted or addressed, or why it is paid, and not who it is.
 * They count for next to nothing in a score and are passed over at both ends of a name. Tables of
 * our own; organisation forms of the countries that OFAC lists most.
 */
const ORGANISATION_FORMS =
  'ab ag ao aps as asa bhd bv bvba co company corp corporation cv dmcc dooel doo ead eirl ' +
  'eood est fzc fzco fze fzllc gmbh inc incorporated jsc kft kg kk lda llc llp lp limited ' +
  'limitada ltd ltda mbh nv oao oo ooo ou oy oyj pao pc pjsc plc pllc pt pte pty pvt private ' +
  'public qjsc sa sae sal sarl sas sc scs sdn sia sl slu snc spa spc spzoo sro srl tbk uab ' +
  'vof wll xxk zao zoo ojsc cjsc joint stock liability obshchestvo ogranichennoi ' +
  'otvetstvennostyu aktsionernoe s de cv rl anonim sirketi sti as limitd holdings holding ' +
  'group the of and for y e et und i'

const TITLES =
  'mr mrs ms miss mx dr prof sir madam haji hajji shaykh sheikh sheik mullah maulavi hajj eng ' +
  'engineer general gen col colonel capt captain major brigadier commander ayatollah ' +
  'hojatoleslam senor senora don herr frau monsieur mme'

const PAYMENT_WORDS =
  'payment payments pay paid to from invoice inv ref reference attn attention dba aka fka nka ' +
  'aka account acct order transfer wire via on behalf favour favor beneficiary customer ' +
  'vendor supplier co c o d b a k html p br div span strong'

const FILLER: ReadonlySet<string> = new Set(
  `${ORGANISATION_FORMS} ${TITLES} ${PAYMENT_WORDS}`.split(' '),
)

/** True for a word of a normal form that does not tell one party from another. */
export function isFiller(word: string): boolean {
  return FILLER.has(word)
}
