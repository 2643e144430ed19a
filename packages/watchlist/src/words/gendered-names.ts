/**
 * Given names of men beside the same of women: a letter or two apart and another person. Tables of
 * our own, in normal form.
 */
const ENDING_IN_O =
  'mario roberto francisco antonio carlo mariano fernando julio alejandro alfredo ' +
  'angelo augusto bernardo claudio emilio enrico ernesto fabio federico flavio giulio ' +
  'gustavo leonardo lorenzo luciano marcelo marino mauricio maurizio octavio paolo ' +
  'patricio ricardo sergio silvio stefano valerio vittorio franco eduardo camilo ' +
  'cecilio eugenio gino livio renato silvano teodoro'
/** These take an a more. */
const TAKING_A =
  'robert daniel martin paul eric erik angel gabriel rafael manuel michael ivan stefan ' +
  'roman adrian julian marin valentin viktor karim rahim halim amir amin said hamid ' +
  'majid rashid khalid aziz latif habib nabil samir zahir farid walid munir adil jalil ' +
  'jamil nasir shakir malik sharif wahid salim tahir kamil hakim fahim nadir sabir ' +
  'nazir bashir azim'
const OTHERWISE =
  'louis:louise emil:emily rene:renee christian:christina peter:petra george:georgina joseph:josephine denis:denise nicolas:nicole nicholas:nicola ' +
  'carl:carla karl:karla karl:carla carl:karla simon:simone jean:jeanne marcel:marcelle daniel:danielle michel:michele yvan:yvonne'

const WOMAN_OF: ReadonlyMap<string, string> = new Map([
  ...ENDING_IN_O.split(' ').map((name) => [name, `${name.slice(0, -1)}a`] as const),
  ...TAKING_A.split(' ').map((name) => [name, `${name}a`] as const),
  ...OTHERWISE.split(' ').map((pair) => pair.split(':') as [string, string]),
])

/** True for a man's name and the same of a woman, in either order: `Mario` and `Maria`. */
export function areOfOtherGender(a: string, b: string): boolean {
  return WOMAN_OF.get(a) === b || WOMAN_OF.get(b) === a
}
