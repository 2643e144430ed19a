/**
 * Words of the dictionary, of the sky, of myths and of the map that businesses and ships everywhere
 * are called by: one of them with a form behind it is many parties. A table of our own.
 */
const DICTIONARY: ReadonlySet<string> = new Set(
  (
    'atlas apollo orion titan hermes zeus athena artemis hera ares poseidon neptune mercury mars venus jupiter saturn pluto ' +
    'uranus odin thor freya odyssey olympus olympia pegasus hercules achilles ajax argo argus aurora diana minerva vesta victoria ' +
    'griffin unicorn sphinx centaur cyclops prometheus pandora genesis exodus eden trinity angel ' +
    'pioneer horizon summit zenith apex vertex vortex matrix nexus vector quantum fusion synergy impulse momentum dynamic dynamics ' +
    'catalyst element elements essence spectrum prism focus vista panorama mirage oasis haven harbour anchor compass beacon lighthouse ' +
    'bridge gateway frontier expedition voyager explorer navigator mariner pilot captain admiral ranger hunter guardian sentinel ' +
    'champion victory triumph glory honor honour freedom liberty unity harmony concord alliance fortune prosperity success progress ' +
    'advance ascent evolution revolution renaissance legacy heritage tradition century millennium eternal infinity infinite ' +
    'sunrise sunset sunshine daylight moonlight starlight solar lunar stellar astra astro cosmos galaxy nebula comet meteor eclipse ' +
    'polaris sirius vega altair rigel antares arcturus andromeda capella spica ' +
    'amber jade ruby sapphire emerald topaz opal coral ivory platinum titanium cobalt copper bronze granite marble onyx quartz ' +
    'falcon hawk raven swan dolphin shark whale panther leopard jaguar cougar puma lynx bear wolf fox stallion mustang cobra viper ' +
    'scorpion spider hornet bee butterfly albatross pelican seagull flamingo peacock condor kestrel ' +
    'eagle lion tiger phoenix dragon pearl palm diamond crystal star sea ocean sky gold golden silver blue red green black white alpha beta delta ' +
    'omega sigma gamma prime elite premier master classic royal united ' +
    'oak maple cedar pine willow laurel olive lotus lily rose iris orchid jasmine magnolia violet daisy acacia bamboo clover ' +
    'breeze storm thunder lightning tornado hurricane cyclone typhoon tempest monsoon zephyr sirocco mistral ' +
    'arctic antarctic polar nordic baltic atlantic pacific caspian mediterranean adriatic aegean caribbean alpine sahara everest ' +
    'amazon danube volga nile ganges euphrates tigris rhine sierra savanna prairie meadow garden grove spring summer autumn winter ' +
    'prestige elegance excellence superior supreme imperial regal regent royal sovereign monarch crown empire dynasty majesty ' +
    'king queen prince princess knight baron duke sultan emperor pharaoh viking spartan trojan samurai gladiator ' +
    'fortress castle citadel bastion shield sword arrow spear lance trident hammer anvil torch flame inferno volcano lava magma ' +
    'optima optimum maxima magna ultima prima optimus integra unica vita viva nova terra aqua aero ignis lumina lux ' +
    'avangard vostok vympel sputnik zarya mir rodina rubin almaz granit kristall start luch sever yug zapad delfin sokol oryol feniks vityaz'
  ).split(' '),
)

/** True for a word of a normal form that many parties are called by, whatever the lists say. */
export function isDictionaryWord(word: string): boolean {
  return DICTIONARY.has(word)
}
