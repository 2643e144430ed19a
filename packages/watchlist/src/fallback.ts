import type { EntryType, ListedAddress, WatchlistEntry } from './entry.ts'

/** Name, kind, programs, other names, addresses as `TICKER address`. */
type Designation = readonly [string, EntryType, string, readonly string[], readonly string[]]

/**
 * Well-known OFAC designations, written down as facts: for a machine without network and without
 * `LISTS_DIR`, so that it is not blind. No substitute for the list. A test holds each one against
 * the published list.
 */
const DESIGNATIONS: readonly Designation[] = [
  [
    'LAZARUS GROUP',
    'entity',
    'DPRK3',
    ['HIDDEN COBRA', 'GUARDIANS OF PEACE'],
    [
      'ETH 0x08723392Ed15743cc38513C4925f5e6be5c17243',
      'ETH 0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
      'ETH 0x35fB6f6DB4fb05e6A4cE86f2C93691425626d4b1',
    ],
  ],
  [
    'GARANTEX EUROPE OU',
    'entity',
    'RUSSIA-EO14024',
    ['GARANTEX'],
    [
      'ETH 0x57EC89A0C056163A0314e413320f9B3ABe761259',
      'ETH 0x7CEd75026204aC29C34bEA98905D4C949F27361e',
      'XBT 3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1',
      'TRX TFwjPScaJRCbSWVAywE1S1WgaUgSnyYUbD',
      'TRX TJkBr9TZ1xBeJoF7RNWqyEMbYqVJ6fXXHR',
      'USDT 3E6ZCKRrsdPc35chA9Eftp1h3DLW18NFNV',
    ],
  ],
  [
    'GRINEX',
    'entity',
    'SDGT',
    [],
    ['TRX TAYhjpL8pPs8T84FSM329nffQpc6jD8GBM', 'TRX TC8axQvzJEVR3NKN6mZnJtGy7537GEmh38'],
  ],
  [
    'BLENDER.IO',
    'entity',
    'CYBER2',
    ['BLENDERIO'],
    ['XBT 15PggTG7YhJKiE6B16vkKzA1YDTZipXEX4', 'XBT 31t4nEpcwyQJT1VuXdAoQZTT5givRDPsNP'],
  ],
  [
    'SINBAD',
    'entity',
    'CYBER2, DPRK3',
    ['SINBAD.IO'],
    [
      'XBT 1JHdQHkBZiim1cb4hyUh2PbzEbbg6z2TrF',
      'XBT bc1qq7p0es3dv5hcynjjf40f2xjjr6qp5py47d2f6n847vduuq9gvnyq7y9ecd',
    ],
  ],
  [
    'HYDRA MARKET',
    'entity',
    'CYBER2',
    ['HYDRA MARKETPLACE'],
    ['XBT 123WBUDmSJv4GctdVEz6Qq6z8nXSKrJ4KX', 'XBT 12VrYZgS1nmf9KHHped24xBb1aLLRpV2cT'],
  ],
  [
    'SUEX OTC, S.R.O.',
    'entity',
    'CYBER2',
    ['SUCCESSFUL EXCHANGE'],
    [
      'ETH 0x19aa5fe80d33a56d56c78e82ea5e50e5d80b4dff',
      'ETH 0x2f389ce8bd8ff92de3402ffce4691d17fc4f6535',
      'XBT 1295rkVyNfFpqZpXvKGhDqwhP1jZcNNDMV',
      'XBT 12HQDsicffSBaYdJ6BhnE22sfjTESmmzKx',
      'USDT 16iWn2J1McqjToYLHSsAyS6En3QA8YQ91H',
      'USDT 1CF46Rfbp97absrs7zb7dFfZS6qBXUm9EP',
    ],
  ],
  [
    'CHATEX',
    'entity',
    'CYBER2',
    [],
    [
      'ETH 0x48549a34ae37b12f6a30566245176994e17c6b4a',
      'ETH 0x5512d943ed1f7c8a43f3435c85f7ab68b30121b0',
      'XBT 32VgTk8kGvBsqkHhkvtNooGdtqZm46jTVo',
      'XBT 32wdqwX3zCEX3DhAVEcKwXCEGdzgBnx1R9',
      'USDT 3LtcaPbCj87CwJHnRX3vh7c2y9RZQqeSy8',
    ],
  ],
  ['BITPAPA IC FZC LLC', 'entity', 'RUSSIA-EO14024', ['BITPAPA'], []],
  [
    'ZEDCEX EXCHANGE LTD',
    'entity',
    'SDGT',
    [],
    ['TRX TASWbk6X1wiTku5TMmMQYqYFvshVEtfJy8', 'TRX TCA9vmjsYw9MtPKEwRBtGhKFRfr4CLxJAv'],
  ],
  [
    'SEMENOV, Roman',
    'individual',
    'DPRK3',
    [],
    [
      'ETH 0x43fa21d92141BA9db43052492E0DeEE5aa5f0A93',
      'ETH 0x5a7a51bfb49f190e5a6060a5bc6052ac14a3b59f',
    ],
  ],
  [
    'POTEKHIN, Danil',
    'individual',
    'CYBER2',
    [],
    [
      'ETH 0x7F367cC41522cE07553e823bf3be79A889DEbe1B',
      'XBT 1Kys8fqDen8NGFUJ6AFcXfFW5qquuTH4eh',
      'XBT 1Q9UAQbcDezmyouFrzt94t4dSMxgsUfW1X',
    ],
  ],
  ['KHORASHADIZADEH, Ali', 'individual', 'CYBER2', [], ['XBT 149w62rY42aZBox8fGcmqNsXUzSStKeq8C']],
  [
    'WU, Huihui',
    'individual',
    'DPRK3',
    [],
    ['XBT 125W5ek3DT6Zqy5S2iPt4FHQdNMCbZA3FU', 'XBT 12YCfVAEzkEZXBYhUTyJJaRkgMXiFxJgcu'],
  ],
  [
    'KIM, Sang Man',
    'individual',
    'DPRK4',
    [],
    [
      'ETH 0x97b1043abd9e6fc31681635166d430a458d14f9c',
      'ETH 0xb6f5ec1a0a9cd1526536d3f0426c429529471f40',
      'XBT 1D6gG9iKEhPitTcWRJiniuj1jYM2hNeAfJ',
      'XBT 1FCNgfZWpYMeYhy9t18AAkTBu8AsdoAc1Z',
      'USDT 0xb6f5ec1a0a9cd1526536d3f0426c429529471f40',
      'USDC 0xb6f5ec1a0a9cd1526536d3f0426c429529471f40',
    ],
  ],
  [
    'VALERIAN LABS, INC.',
    'entity',
    'ILLICIT-DRUGS-EO14059',
    [],
    [
      'ETH 0x983a81ca6FB1e441266D2FbcB7D8E530AC2E05A2',
      'XBT bc1qardcxz845jw83vgfvcmewhuxa0ag9gchjwmcfd',
      'USDT 0x983a81ca6FB1e441266D2FbcB7D8E530AC2E05A2',
      'USDC 0x983a81ca6FB1e441266D2FbcB7D8E530AC2E05A2',
    ],
  ],
  [
    'SOKOLOVSKI, Rolan',
    'individual',
    'SDGT',
    [],
    [
      'ETH 0x5d5b5dafecbf31bdb08bfd3edad4f2694372d0ef',
      'ETH 0xc103b7dc095c904b92081eef0c1640081ec01c10',
      'XBT 1JPqJ8sxLBvdHBqMqSFBmUkoh2vAuCUNvs',
      'XBT 37fKFZQGMqdBkjSUub1jCDWGgSHwv9VxfZ',
      'TRX TBcLqqqyZjNj1ptuXFgj5H768NhNU5nDyn',
      'TRX TCu5onCzXuqxjvVzdB2tR4FLuF66d4yRqf',
      'SOL 42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi',
    ],
  ],
  [
    'RASHEVSKYI DMYTRO',
    'entity',
    'SDGT',
    [],
    [
      'ETH 0x1d19b52b54e7ef5ea1a4b40b616165e798eac9f8',
      'ETH 0x2C7DcD774b33e10367F7d6385479e04F97d179dc',
      'XBT 1DfyWkiXVVqWfcSduj23qTDis9kb2qvRDa',
      'XBT 1MTndG4K51RRMvkzyvguaHnQpiMLnxFGzM',
      'TRX TBFW9gF4oDX5cG44gS7AoxQeujScmm3z6h',
      'TRX TTLRNgLpz5H5tLPuNU4FViUs7zmmAtyvzW',
      'SOL Fc1EwQUZyTEagaDvA1utHXCcZNyG1x2PLt2DfNu1cJdH',
      'SOL FuCC7GoYwt5TsNTjWL23Xx9UKCvC18chjMEFPL3vJDCC',
    ],
  ],
  ['EVIL CORP', 'entity', 'CYBER2', ['DRIDEX GANG'], []],
  ['YAKUBETS, Maksim Viktorovich', 'individual', 'CYBER2', [], []],
  [
    'BIN LADIN, Usama bin Muhammad bin Awad',
    'individual',
    'SDGT',
    ['BIN LADIN Usama', 'BIN LADEN Osama'],
    [],
  ],
  ["AL QA'IDA", 'entity', 'FTO, SDGT', ['AL QAEDA', 'AL QAIDA'], []],
  ['ISLAMIC STATE OF IRAQ AND THE LEVANT', 'entity', 'SDGT, FTO', [], []],
  [
    'ISIL KHORASAN',
    'entity',
    'FTO, SDGT',
    ['ISIS-K'],
    ['TRX TA3rH2A7iHnm6pKH8gr9cK1EZnShnmZdFg', 'TRX TA82wQ77kb9DieW4C8q7C4KwMfnCzfziqN'],
  ],
  ['TALIBAN', 'entity', 'SDGT', ['TALEBAN'], []],
  ['HAMAS', 'entity', 'FTO, SDGT', ['ISLAMIC RESISTANCE MOVEMENT'], []],
  ['HIZBALLAH', 'entity', 'FTO, SDGT, SYRIA', ['LEBANESE HIZBALLAH'], []],
  ['BOKO HARAM', 'entity', 'FTO, SDGT', [], []],
  ['HAQQANI NETWORK', 'entity', 'SDGT, FTO', [], []],
  [
    'ISLAMIC REVOLUTIONARY GUARD CORPS',
    'entity',
    'NPWMD, IRGC, IRAN-HR, HRIT-IR, IFSR, SDGT, FTO, ELECTION-EO13848',
    ['IRGC'],
    [],
  ],
  [
    'BANK MARKAZI JOMHOURI ISLAMI IRAN',
    'entity',
    'IRAN, IFSR, IRGC, SDGT',
    ['CENTRAL BANK OF IRAN'],
    ['TRX TAhwhFv3JpK39Nc2m8W5LPCcoTisutiRfp', 'TRX TFQbqaNbmq2xsVor2NbufLkYZvxFC9wC7k'],
  ],
  [
    "PRIVATE MILITARY COMPANY 'WAGNER'",
    'entity',
    'UKRAINE-EO13660, RUSSIA-EO14024, CAR, TCO',
    ['PMC WAGNER', 'WAGNER GROUP'],
    [],
  ],
  ['PUTIN, Vladimir Vladimirovich', 'individual', 'RUSSIA-EO14024', ['PUTIN Vladimir'], []],
  ['KADYROV, Ramzan Akhmatovich', 'individual', 'GLOMAG, MAGNIT, RUSSIA-EO14024', [], []],
  ['SECHIN, Igor Ivanovich', 'individual', 'UKRAINE-EO13661, RUSSIA-EO14024', ['SECHIN Igor'], []],
  [
    'PRIGOZHIN, Yevgeniy Viktorovich',
    'individual',
    'UKRAINE-EO13661, CYBER2, ELECTION-EO13848, RUSSIA-EO14024',
    [],
    [],
  ],
  ['LUKASHENKA, Alyaksandr Ryhorovich', 'individual', 'BELARUS', [], []],
  ['KIM, Jong Un', 'individual', 'DPRK3', [], []],
  [
    'SINALOA CARTEL',
    'entity',
    'ILLICIT-DRUGS-EO14059, SDNTK, SDGT, FTO',
    ['CARTEL DE SINALOA'],
    [],
  ],
  ['GUZMAN LOERA, Joaquin', 'individual', 'SDNTK', ['GUZMAN Chapo'], []],
  [
    'CARTEL DE JALISCO NUEVA GENERACION',
    'entity',
    'SDNTK, ILLICIT-DRUGS-EO14059, SDGT, FTO',
    ['CJNG'],
    [],
  ],
  ['TREN DE ARAGUA', 'entity', 'TCO, SDGT, FTO', [], []],
]

/**
 * The embedded fallback as entries of `OFAC_SDN`. Entry ids are our own, since publishers' numbers
 * may change.
 */
export const FALLBACK_ENTRIES: readonly WatchlistEntry[] = DESIGNATIONS.map(
  ([primaryName, type, programs, aliases, addresses], at) => ({
    list: 'OFAC_SDN',
    entryId: `fallback-${at + 1}`,
    type,
    primaryName,
    aliases: aliases.map((name) => ({ name, quality: 'strong', kind: 'aka' })),
    addresses: addresses.map(readAddress),
    programs: programs.split(', '),
  }),
)

function readAddress(line: string): ListedAddress {
  const [ticker = '', address = ''] = line.split(' ')
  return { ticker, address }
}
