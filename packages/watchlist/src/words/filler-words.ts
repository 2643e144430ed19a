import { editDistance } from './edit-distance.ts'
import { bareOf } from './sound.ts'

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

/** Long forms spelt out, and forms of more countries. */
const SPELT_OUT_FORMS =
  'aktiengesellschaft gesellschaft mit beschrankter haftung kommanditgesellschaft societatea societate ' +
  'cu raspundere limitata societe anonyme sociedad anonima responsabilidad responsabilite limitee ' +
  'societa azioni responsabilita sociedade spolka ograniczona odpowiedzialnoscia akcyjna aktiebolag ' +
  'aktieselskab osakeyhtio publichnoe otkrytoe zakrytoe nepublichnoe obschestvo otvetstvennostiu ' +
  'ogranichennoy aktsionernoye aksionernoe open closed perusahaan terbatas sendirian berhad limitat ' +
  'mit ohg kgaa ev eg se nv bhd asbl gie ltee oyabp ivs amba hb kb ks da asa vzw bvba cvba comm va scrl ' +
  'sca sce scop sci snc eurl sasu eirl cia cie spolecnost rucenim omezenym akciova spol ' +
  'korlatolt felelossegu tarsasag zrt nyrt bt kkt ad ead jsco llp lllp lc pllc pa inh ' +
  'ilmiteolla osauhing aktsiaselts sabiedriba akciju ierobezotu atbildibu uzdaroji akcine bendrove ' +
  'tovarystvo obmezhenoyu vidpovidalnistiu vidpovidalnistyu tov pat prat aksjeselskap anpartsselskab ' +
  'ticaret kollektif komandit sermayeli kabushiki gaisha kaisha kk gk yugen yuhan hoesa jusik'

/**
 * Forms of countries whose companies stand on a list now and then, spelt out and abbreviated. Not
 * those that are names of people as well, who would be nobody without them: Kaufmann, Rup,
 * Odo, Coop, Sapa, Sharika; nor what is Muhammad without vowels, `mehdud`.
 */
const FORMS_ABROAD =
  'ood dzzd jdoo shpk druzhestvo drustvo drushtvo ogranichena otgovornost ednolichno aktsionerno ' +
  'komanditno ogranicenom odgovornoscu odgovornosti akcionarsko dionicko preduzece ' +
  'besloten naamloze vennootschap beperkte aansprakelijkheid haftungsbeschrankt unternehmergesellschaft ' +
  'genossenschaft gesmbh ggmbh partg eingetragene eingetragener gbr ' +
  'reszvenytarsasag zartkoruen nyilvanosan mukodo actiuni responsabilitate intreprindere intreprinderea ' +
  'bolag handelsbolag kommanditbolag begraenset ansvar ehf osuuskunta ' +
  'mchj mmc aksiyadorlik jamiyati cheklangan masuliyati mesuliyyetli cemiyyeti jshs zhshs ' +
  'serikestigi shps too tovaristvo tovarishchestvo aktsionerne pidpryiemstvo tzov fop taa aat zat chup chtup ' +
  'kompaniya kompania fgup gup mup druzhestvo ' +
  'gongsi youxian gufen tnhh persero sapi sll compania unipersonal comandita acciones ' +
  'simplificada simplifiee variable promotora eireli srls scarl sprl sagl soc arl ' +
  'sherkat sharikat saoc saog bsc qsc ksc kscc kpsc smc incorporacion ' +
  'incorp corporacion corporate unlimited proprietary cooperative'

/**
 * Words of names that part other words and say little: articles, prepositions, `son of`. Their
 * weight is small and their absence costs nothing.
 */
const PARTICLES =
  'al el ul ur ad as ash az an ar at bn ould umm bin ibn ben bint binti von van der den de del della di da do dos das ' +
  'du la le les los las lo ter ten zu zum zur af av abd abu'

const TITLES =
  'mr mrs ms miss mx dr prof sir madam haji hajji shaykh sheikh sheik mullah maulavi hajj eng ' +
  'engineer general gen col colonel capt captain major brigadier commander ayatollah ' +
  'hojatoleslam senor senora don herr frau monsieur mme mister ' +
  'president minister ambassador admiral marshal lieutenant lt sgt sergeant doctor ' +
  'dott dipl ing phd md jr sr iii esq hon honorable rev reverend imam mufti mawlawi mulla maulvi mv ms mt'

const PAYMENT_WORDS =
  'payment payments pay paid to from invoice inv ref reference attn attention dba aka fka nka ' +
  'aka account acct order transfer wire via on behalf favour favor beneficiary customer ' +
  'vendor supplier co c o d b a k'

const FORMS = `${ORGANISATION_FORMS} ${SPELT_OUT_FORMS} ${FORMS_ABROAD}`
const FILLER: ReadonlySet<string> = new Set(`${FORMS} ${TITLES} ${PAYMENT_WORDS}`.split(' '))
const PARTICLE: ReadonlySet<string> = new Set(PARTICLES.split(' '))
const WRAPPING: ReadonlySet<string> = new Set(`${PAYMENT_WORDS} ${TITLES}`.split(' '))
/** The same without vowels: `LMTD`, `CMPNY`. */
const BARE_FILLER: ReadonlySet<string> = new Set(
  [...FILLER].map(bareOf).filter((bare) => bare.length > 2),
)
const SHORT_BARE_FILLER: ReadonlySet<string> = new Set(
  [...FILLER].map(bareOf).filter((bare) => bare.length <= 2),
)
const FORM: ReadonlySet<string> = new Set(FORMS.split(' '))

/** True for a word of a normal form that does not tell one party from another. */
export function isFiller(word: string): boolean {
  return FILLER.has(word)
}

/**
 * True for a word of a payment's text or a title, which stands around a name and is no part of it.
 */
export function isWrapping(word: string): boolean {
  return WRAPPING.has(word)
}

/** True for a filler word written without its vowels. */
export function isBareFiller(word: string): boolean {
  return BARE_FILLER.has(word)
}

/** The same for what is too short to be told from a word, but for a text without any vowels. */
export function isShortBareFiller(word: string): boolean {
  return SHORT_BARE_FILLER.has(word)
}

/** True for an article, a preposition or `son of` inside a name. */
export function isParticle(word: string): boolean {
  return PARTICLE.has(word)
}

/** True for a word that only an organisation's name holds: `LLC`, `GmbH`. */
export function isOrganisationForm(word: string): boolean {
  return FORM.has(word) && word.length > 2
}

/**
 * Forms of companies that a few people own: what is put behind a name to hide it. Forms of public
 * companies are left out, since a short name with one of those is a known company's.
 */
const LIMITED_COMPANIES: ReadonlySet<string> = new Set(
  (
    'llc fzllc fzco fze fzc dmcc wll sarl srl gmbh ooo tov doo dooel ood eood sro spzoo ou uab ' +
    'sia kft lda'
  ).split(' '),
)

/** True for the form of a company that a few people own: `LLC`. */
export function isLimitedCompany(word: string): boolean {
  return LIMITED_COMPANIES.has(word)
}

const LONG_FORMS = [
  'company',
  'limited',
  'corporation',
  'incorporated',
  'liability',
  'aktiengesellschaft',
  'obshchestvo',
  'aktsionernoe',
  'ogranichennoi',
  'otvetstvennostyu',
  'gesellschaft',
  'sociedad',
  'anonima',
  'holdings',
]

const ABROAD: ReadonlySet<string> = new Set(FORMS_ABROAD.split(' '))

/**
 * Organisation forms of some length under every form of them with a letter left out. Of those of
 * far countries long ones alone: names of people are a letter away from the others (Mukolo,
 * Shariat, Dionicio).
 */
const FORM_WITHOUT_LETTER: ReadonlyMap<string, string> = new Map(
  [...FORM]
    .filter((form) => form.length > (ABROAD.has(form) ? 8 : 5))
    .flatMap((form) => withoutLetter(form).map((left) => [left, form] as const)),
)

function withoutLetter(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
}

/** Names of people that are two letters away from a form. */
const NO_SLIP: ReadonlySet<string> = new Set('antonina antonino antonija'.split(' '))

/**
 * True for a long organisation form with a letter or two wrong or cut off: `COMPAN`, `LIxBIqITY`.
 */
export function isMisspeltForm(word: string): boolean {
  if (word.length < 6 || word.length > 20 || FORM.has(word) || NO_SLIP.has(word)) return false
  const near = withoutLetter(word).some((left) => {
    const form = FORM_WITHOUT_LETTER.get(left)
    return form !== undefined && editDistance(word, form, 1) === 1
  })
  if (near) return true
  const limit = word.length < 8 ? 1 : 2
  return LONG_FORMS.some((form) => {
    const distance = editDistance(word, form, limit)
    return distance > 0 && distance <= limit
  })
}
