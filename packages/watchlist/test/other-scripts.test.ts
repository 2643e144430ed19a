/** Names in scripts that lists hardly use, and names written sign beside sign. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { buildWatchlist, scorePair } from '../src/index.ts'
import { normalise } from '../src/text/normalize.ts'
import { asciiOf, OTHER_SCRIPTS } from '../src/text/other-scripts.ts'

const PUTIN = {
  Hindi: 'व्लादिमीर पुतिन',
  Bengali: 'ভ্লাদিমির পুতিন',
  Kannada: 'ವ್ಲಾಡಿಮಿರ್ ಪುಟಿನ್',
  Telugu: 'వ్లాదిమిర్ పుతిన్',
  Tamil: 'விளாதிமிர் பூட்டின்',
  Malayalam: 'വ്ലാഡിമിർ പുടിൻ',
  Gujarati: 'વ્લાદિમીર પુતિન',
  Punjabi: 'ਵਲਾਦੀਮੀਰ ਪੂਤਿਨ',
  Sinhala: 'ව්ලැඩිමිර් පුටින්',
  Thai: 'วลาดีมีร์ ปูติน',
  Lao: 'ວລາດີເມຍ ປູຕິນ',
  Burmese: 'ဗလာဒီမာ ပူတင်',
  Khmer: 'វ្ល៉ាឌីមៀ ពូទីន',
  Amharic: 'ቭላድሚር ፑቲን',
}

const OTHER = new RegExp(`[${OTHER_SCRIPTS}]`, 'u')

describe('a script without a table of its own', () => {
  for (const [language, name] of Object.entries(PUTIN)) {
    it(`finds a name in Latin letters written in ${language}`, () => {
      assert.notEqual(scorePair(name, 'Vladimir Putin', 'Person').verdict, 'CLEAR')
      assert.equal(scorePair(name, 'Volodymyr Zelensky', 'Person').verdict, 'CLEAR')
    })
  }

  it('folds to Latin letters and digits, or keeps what has none', () => {
    const letter = fc
      .integer({ min: 0x700, max: 0x18af })
      .map((code) => String.fromCodePoint(code))
      .filter((one) => /\p{L}/u.test(one) && OTHER.test(one) && normalise(one) !== '')
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 30 }), (text) => {
        const form = normalise(text)
        assert.notEqual(form, '')
        assert.equal(normalise(form), form)
        const left = [...form].filter((one) => one > 'z' && asciiOf(one) !== '')
        assert.ok(left.length === 0 || !/[a-z]/.test(form), form)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('signs written together', () => {
  const entry = (primaryName: string) => ({
    list: 'OFAC_SDN' as const,
    entryId: primaryName,
    type: 'individual' as const,
    primaryName,
    aliases: [],
    addresses: [],
    programs: [],
  })
  const { screenName } = buildWatchlist([
    {
      id: 'OFAC_SDN',
      contentHash: 'test',
      publishedAt: null,
      loadedAt: '',
      source: 'test',
      entries: [entry('CHEN, Zhi'), entry('KANG, Min'), entry('LI, Ying')],
    },
  ])

  for (const name of ['陳志宏', '志宏 陳', '秀枝 陳', '강성민', '민준 강', '桂英 李']) {
    it(`${name} holds no name that has half of its given name`, () => {
      assert.deepEqual(screenName(name), [])
    })
  }
  for (const name of ['陳志', '志 陳', '강민', '강 민', '李英', '支付给陈志先生款项']) {
    it(`${name} holds the listed name, which a person should see`, () => {
      const [match] = screenName(name)
      assert.ok(match !== undefined && match.score >= 0.8 && match.score < 0.9)
    })
  }
})
