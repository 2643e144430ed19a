import { hanReading } from './han-readings.ts'
import { syllablesOfHangul } from './hangul.ts'
import { lettersOfKana } from './kana.ts'
import { asciiOf, OTHER_SCRIPTS, OTHER_UNVOCALISED } from './other-scripts.ts'

/**
 * Letters of alphabets beside the Latin letters they are romanised with in published lists. Tables
 * of our own: what the lists do most, not any one standard, because sound keys level the rest.
 */
const CYRILLIC =
  'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ' +
  'ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ѐ:e ё:e ђ:dj ѓ:g є:ye ѕ:dz і:i ї:yi ј:j љ:lj њ:nj ћ:c ' +
  'ќ:k ў:u џ:dz ґ:g ғ:g җ:j қ:k ҡ:k ҝ:g ң:n ҥ:n ү:u ұ:u ҳ:kh ҷ:j ҹ:ch һ:h ә:a ө:o ӏ: ӣ:i ӯ:u ӷ:g ҙ:z ҫ:s'
const GREEK =
  'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
const ARMENIAN =
  'ա:a բ:b գ:g դ:d ե:e զ:z է:e ը:y թ:t ժ:zh ի:i լ:l խ:kh ծ:ts կ:k հ:h ձ:dz ղ:gh ճ:ch մ:m յ:y ն:n ' +
  'շ:sh ո:o չ:ch պ:p ջ:j ռ:r ս:s վ:v տ:t ր:r ց:ts ւ:v փ:p ք:k և:ev օ:o ֆ:f'
const GEORGIAN =
  'ა:a ბ:b გ:g დ:d ე:e ვ:v ზ:z თ:t ი:i კ:k ლ:l მ:m ნ:n ო:o პ:p ჟ:zh რ:r ს:s ტ:t უ:u ფ:p ქ:k ღ:gh ' +
  'ყ:q შ:sh ჩ:ch ც:ts ძ:dz წ:ts ჭ:ch ხ:kh ჯ:j ჰ:h'
/**
 * Arabic with the letters of Persian, Urdu, Pashto, Kurdish and Uyghur. Short vowels are not
 * written.
 */
const ARABIC =
  'ا:a أ:a إ:i آ:a ٱ:a ب:b ت:t ث:th ج:j ح:h خ:kh د:d ذ:dh ر:r ز:z س:s ش:sh ص:s ض:d ط:t ظ:z ع:a غ:gh ' +
  'ف:f ق:q ك:k ل:l م:m ن:n ه:h و:w ي:y ى:a ة:a ء: ؤ:w ئ:y پ:p چ:ch ژ:zh گ:g ک:k ی:y ے:e ٹ:t ڈ:d ڑ:r ' +
  'ں:n ہ:h ھ:h ۀ:h ە:e ټ:t ډ:d ړ:r ږ:zh ښ:sh ګ:g ڼ:n ې:e ۍ:y ځ:dz څ:ts ڤ:v ۆ:o ۇ:u ۈ:u ۋ:v ێ:e ڵ:l ڕ:r ڭ:ng ۅ:o ڪ:k'
const HEBREW =
  'א:a ב:b ג:g ד:d ה:h ו:v ז:z ח:h ט:t י:y כ:k ך:k ל:l מ:m ם:m נ:n ן:n ס:s ע:a פ:p ף:f צ:ts ץ:ts ק:k ר:r ש:sh ת:t'

const LETTERS: ReadonlyMap<string, string> = new Map(
  [CYRILLIC, GREEK, ARMENIAN, GEORGIAN, ARABIC, HEBREW]
    .flatMap((table) => table.split(' '))
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)] as const),
)

const NON_LATIN = new RegExp(
  `[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Georgian}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}${OTHER_SCRIPTS}]`,
  'u',
)
const OTHER = new RegExp(`[${OTHER_SCRIPTS}]`, 'u')
const HAN = /\p{Script=Han}/u
/** Scripts that leave vowels out: their words compare by consonants. */
const SEMITIC = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const UNVOCALISED = new RegExp(`[\\p{Script=Arabic}\\p{Script=Hebrew}${OTHER_UNVOCALISED}]`, 'u')
const LATIN = /[a-z]/
const GREEK_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/ου/g, 'ou'],
  [/(?<=[αε])υ(?=[βγδζλμνραεηιουω])/g, 'v'],
  [/(?<=[αε])υ/g, 'f'],
  [/^μπ/g, 'b'],
  [/^ντ/g, 'd'],
  [/γγ/g, 'ng'],
]
/** Letters that Persian, Urdu and Pashto write otherwise than Arabic, for `VOCALISED`. */
const ARABIC_FORM: ReadonlyMap<string, string> = new Map([
  ['ی', 'ي'],
  ['ى', 'ي'],
  ['ې', 'ي'],
  ['ک', 'ك'],
  ['ہ', 'ه'],
  ['ھ', 'ه'],
  ['ة', 'ه'],
])

/**
 * Names and name parts so common that everybody knows their vowels, as lists romanise them; the
 * variants of each are in `name-variants.ts`.
 */
const VOCALISED: ReadonlyMap<string, string> = new Map(
  (
    'الله:allah لله:allah بن:bin ابن:ibn بنت:bint ابو:abu ابي:abi ام:umm عبد:abd ولد:ould ملا:mullah حاجي:haji الحاج:haji شيخ:sheikh ' +
    'سيد:sayyid مولوي:mawlawi قاري:qari حافظ:hafiz محمد:muhammad احمد:ahmad محمود:mahmud حامد:hamid حميد:hamid علي:ali ' +
    'حسن:hasan حسين:husayn عمر:umar عثمان:uthman خالد:khalid طارق:tariq يوسف:yusuf ابراهيم:ibrahim اسماعيل:ismail اسحاق:ishaq ' +
    'يعقوب:yaqub موسي:musa عيسي:isa يحيي:yahya داود:dawud سليمان:sulayman هارون:harun نوح:nuh صالح:salih سالم:salim ' +
    'سليم:salim سعيد:said سعد:saad ناصر:nasir نصر:nasr نصير:nasir جعفر:jafar جمال:jamal كمال:kamal جلال:jalal جليل:jalil خليل:khalil ' +
    'كريم:karim رحيم:rahim رحمن:rahman رحمان:rahman عزيز:aziz لطيف:latif قادر:qadir قاسم:qasim مصطفي:mustafa مرتضي:murtada رضا:reza مهدي:mahdi ' +
    'هادي:hadi فهد:fahd فيصل:faysal ماجد:majid مجيد:majid نبيل:nabil نور:nur نوري:nuri وليد:walid ياسر:yasir ياسين:yasin زيد:zayd زياد:ziyad ' +
    'سمير:samir رشيد:rashid راشد:rashid شريف:sharif طاهر:tahir طه:taha عادل:adil عامر:amir امير:amir امين:amin انور:anwar اكبر:akbar ' +
    'اصغر:asghar ايمن:ayman اسامه:usama باسم:basim بشير:bashir بشار:bashar بكر:bakr بلال:bilal حبيب:habib حسام:husam حكيم:hakim ' +
    'حمد:hamad حمزه:hamza دين:din رجب:rajab رمضان:ramadan زين:zayn سيف:sayf شمس:shams صادق:sadiq صلاح:salah عبدالله:abdullah عبدلله:abdullah ' +
    'عدنان:adnan علاء:ala عماد:imad غلام:ghulam فاروق:faruq فضل:fazl قائد:qaid لقمان:luqman مالك:malik مبارك:mubarak محسن:muhsin مروان:marwan ' +
    'منصور:mansur منير:munir نعمان:numan وحيد:wahid ولي:wali جان:jan خان:khan گل:gul آغا:agha اغا:agha اخوند:akhund آخوند:akhund شاه:shah ' +
    'فاطمه:fatima مريم:maryam زينب:zaynab خديجه:khadija عائشه:aisha'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)] as const),
)

/** True for a word in a script that `transliterate` writes in Latin letters. */
export function isForeign(word: string): boolean {
  return NON_LATIN.test(word)
}

/** True for a word in a script that does not write short vowels. */
export function isUnvocalised(word: string): boolean {
  return UNVOCALISED.test(word)
}

/**
 * A lower-case word of a normal form in Latin letters: one word, or several where the script joins
 * what Latin parts (the Arabic article; each syllable of a Korean or Chinese name).
 *
 * Words of other scripts, and words that mix in Latin letters, which are disguised and not foreign,
 * are returned unchanged; likewise a word of which nothing would remain. Without `rare`, Han
 * characters that stand in hardly any name are left as they are.
 */
export function transliterate(word: string, rare = true): string {
  if (!NON_LATIN.test(word) || LATIN.test(word)) return word
  const latin = SEMITIC.test(word) ? semitic(word) : letters(word, rare)
  return latin === '' ? word : latin
}

function semitic(word: string): string {
  const known = vocalised(word)
  if (known !== undefined) return known
  const rest = word.length >= 4 && word.startsWith('ال') ? word.slice(2) : undefined
  return rest === undefined ? letters(word) : `al ${vocalised(rest) ?? letters(rest)}`.trim()
}

function vocalised(word: string): string | undefined {
  let form = ''
  for (const letter of word) form += ARABIC_FORM.get(letter) ?? letter
  return VOCALISED.get(form)
}

function letters(word: string, rare = true): string {
  let source = word
  for (const [pair, latin] of /\p{Script=Greek}/u.test(word) ? GREEK_PAIRS : [])
    source = source.replace(pair, latin)
  source = lettersOfKana(syllablesOfHangul(source))
  let latin = ''
  for (const letter of source)
    latin += LETTERS.get(letter) ?? hanReading(letter) ?? other(letter, rare)
  return latin.replace(/ {2,}/g, ' ').trim()
}

/** A character without a table of ours: a syllable of its own in Han; itself when unknown. */
function other(letter: string, rare: boolean): string {
  if (letter <= 'z') return letter
  if (HAN.test(letter)) return rare ? ` ${asciiOf(letter) || letter} ` : letter
  return OTHER.test(letter) ? asciiOf(letter) : letter
}
