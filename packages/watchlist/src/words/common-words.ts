/**
 * How often words stand on names at large, per 40,000 names, in rough bands: what the lists alone
 * do not tell. A word counts as on so many names even when the lists have it less, so that `Smith`
 * is as little telling on a list that holds one Smith as it is outside. Tables of our own.
 */
const BANDS: readonly (readonly [number, string])[] = [
  [
    900,
    'trading general international group muhammad mohammad mohammed mohamed ali ahmad ahmed bank abu',
  ],
  [
    300,
    'capital management services industries systems global solutions development investment investments ' +
      'technology technologies engineering construction energy shipping marine partners fund trust ' +
      'center centre institute foundation organization organisation national state research industrial ' +
      'import export trade commercial enterprise enterprises corp industry industria oil gas petroleum ' +
      'finance financial insurance real estate properties resources mining logistics transport maritime ' +
      'hassan hasan hussein ibrahim abdul abd abdullah vladimir alexander aleksandr sergey jose maria ' +
      'john michael david james robert juan michel kim lee',
  ],
  [
    120,
    'platforms motor motors electronics communications telecom networks software digital media online ' +
      'consulting advisory security aviation airlines air travel tours food foods pharma pharmaceuticals ' +
      'medical health care chemical chemicals steel metal metals power electric water railway railroad ' +
      'equipment machinery design production manufacturing supply products materials textile auto parts ' +
      'central federal first new star sea ocean gold golden blue royal united american european asian ' +
      'african asia europe africa america arab islamic russian iranian chinese china russia iran syria ' +
      'north south east west middle world business government ministry department agency university ' +
      'academy science scientific committee association union society party army bureau office branch ' +
      'joint project projects service system center savings credit exchange holding assets equity offshore ' +
      'mustafa omar yusuf mahmoud khalid said salim saleh hamid karim rashid abdallah hossein reza khan ' +
      'haji mullah sheikh dmitry igor andrey mikhail ivan nikolay viktor oleg yuri pavel alexey alexei ' +
      'vladimirovich aleksandrovich nikolaevich ivanovich viktorovich sergeevich yurievich mikhailovich ' +
      'luis carlos jesus antonio miguel jorge manuel francisco pedro garcia rodriguez lopez martinez ' +
      'gonzalez hernandez perez sanchez ramirez flores gomez torres smith johnson williams brown jones ' +
      'miller davis wilson anderson taylor thomas moore martin jackson thompson white harris clark lewis ' +
      'walker hall allen young king wright scott green baker adams nelson carter mitchell roberts turner ' +
      'mary jennifer patricia linda elizabeth barbara susan jessica sarah karen lisa nancy sandra ashley ' +
      'william richard joseph charles christopher daniel matthew anthony mark donald steven paul andrew ' +
      'kenneth joshua kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric ' +
      'peter hans frank anna laura julia emma lars erik jan wei wang zhang chen liu yang huang li wu xu ' +
      'sun zhao zhou nguyen tran pham singh kumar sharma shah patel das park choi jong yong chol hong song',
  ],
  [
    40,
    'red black white silver green sky diamond crystal eagle lion tiger phoenix dragon pearl palm city ' +
      'port line lines express freight cargo fleet harbor island coast mountain river valley lake bay ' +
      'tower plaza house home garden hotel club casino restaurant market shop store stores mart retail ' +
      'studio lab labs tech data info cyber net web cloud smart green solar nuclear aerospace defense ' +
      'defence military institution federation republic peoples democratic liberation front movement ' +
      'revolutionary guard force forces brigade jihad market markets mobile wireless cable paper forest ' +
      'wood land farm agro bio gene life vision future alpha beta delta omega sigma gamma nova apex prime ' +
      'elite premier master classic standard quality super ultra mega micro macro euro trans inter multi ' +
      'estonia ethiopia france germany italy spain japan korea india indonesia mexico chile brazil canada ' +
      'ireland sweden finland norway denmark poland ukraine georgia turkey israel egypt iraq lebanon jordan ' +
      'oman qatar yemen pakistan afghanistan dubai london york moscow beijing shanghai hong kong singapore ' +
      'malaysia thailand vietnam australia zealand switzerland austria belgium holland netherlands greece ' +
      'cyprus portugal romania bulgaria hungary serbia croatia cuba venezuela colombia peru argentina ' +
      'iceland slovakia slovenia niger nigeria mali malta guinea guyana kenya uganda angola libya liberia algeria ' +
      'castro castillo ortega ortiz ruiz moreno alvarez romero diaz reyes cruz morales gutierrez chavez ' +
      'ramos mendoza vargas castro rojas medina aguilar vega soto silva santos costa ferreira oliveira ' +
      'pereira almeida rossi russo ferrari muller schmidt schneider fischer weber meyer wagner becker ' +
      'hoffmann schulz koch bauer richter klein wolf schroder neumann dubois durand leroy moreau simon ' +
      'laurent lefebvre ivanov petrov smirnov kuznetsov popov sokolov lebedev kozlov novikov morozov volkov ' +
      'sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi hansen johansen olsen larsen ' +
      'andersen pedersen nielsen jensen eriksson karlsson johansson andersson nilsson olsson svensson ' +
      'frederik frederick friedrich franz fritz kurt karl carl klaus dieter jurgen stefan thomas andreas ' +
      'viktor boris roman robert anders ulf nils niels iliana daniel raul oscar oliver max felix lucas ' +
      'amy angela michelle melissa amanda stephanie rebecca kimberly helen diana christine catherine ' +
      'marie jean pierre jacques philippe francois louis henri andre paolo marco giovanni giuseppe luigi ' +
      'yahya ismail bilal tariq walid nasser samir jamal adel fahd majid mansour habib hafiz rahman rahim ' +
      'aziz latif hakim amir amin akbar mehdi mohsen abbas hamza jafar qasim saeed din islam malik sultan ' +
      'murad ramzan shamil magomed magomedovich akhmed zaur petrovich andreevich borisovich dmitrievich ' +
      'bill tom jim bob mike joe dan sam ben max alex tony nick steve chris matt jack harry fred george',
  ],
]

const COUNT_OF: ReadonlyMap<string, number> = new Map(
  BANDS.toReversed().flatMap(([count, words]) =>
    words.split(' ').map((word) => [word, count] as const),
  ),
)

/** On how many of 40,000 names a word stands at large, as far as the table knows; else 0. */
export function countAtLarge(word: string): number {
  return COUNT_OF.get(word) ?? 0
}
