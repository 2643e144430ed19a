/**
 * Names of nobody: common words put together by chance, so that what the lists make of them is
 * noise. Written down for this purpose from general knowledge, and not drawn from any list.
 */
import { type Chance, pick } from './seeded.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const GIVEN = words(`
  Adriana Agnes Akira Alice Amara Amelia Anders Andrea Anita Anthony Arturo Astrid Beatrice Benjamin
  Bianca Björn Brigitte Bruno Caroline Catalina Charlotte Chloe Christopher Clara Claudia Daniel
  Deborah Diego Dorothy Edward Elena Eleanor Emeka Emily Erik Esther Eva Fabio Felix Fernanda
  Florence Francesca Gabriel George Giulia Grace Gustav Hannah Harold Haruka Heather Helena Hiroshi
  Hugo Ines Ingrid Isabella Jack Jacob Jasmine Jennifer Joanna Johan Jonathan Julia Karen Katarina
  Keiko Kenneth Kiran Kristin Laura Lars Leonardo Lily Lucia Luis Magdalena Manuel Margaret Maria
  Martin Matilda Matteo Megan Miguel Monika Nadine Naomi Natalie Ngozi Nicholas Olivia Oscar Patricia
  Paul Pedro Penelope Philip Priya Rachel Rafael Rebecca Ricardo Robert Rosa Rohan Ruth Sakura Samuel
  Sandra Sean Sofia Stefan Susan Sven Takeshi Teresa Thandiwe Theodore Thomas Tomasz Ursula Valentina
  Vanessa Victoria Vincent Violet Walter Wanjiru William Yara Yuki Zoe Zuzana`)

const FAMILY = words(`
  Abara Achterberg Adams Almeida Andersson Bakker Barbosa Bennett Bergström Bianchi Bishop Brandt
  Brooks Carvalho Castellano Chandra Clarke Collins Conti Cooper Costa Crawford Dahl Delgado Desai
  Dubois Edwards Eriksen Evans Fernandes Ferrari Fischer Fletcher Foster Fournier Fujimoto Gallagher
  Gardner Gomes Graham Greco Gruber Gupta Hansen Harrington Hayashi Hedlund Henderson Hoffmann Holmes
  Horvath Hughes Ito Iyer Jansen Jenkins Johansson Kamau Kapoor Keller Kelly Kimura Kowalski Krishnan
  Lambert Larsen Lefebvre Lindberg Lombardi Lopes MacDonald Marchetti Marsh Martinelli Mbeki Meyer
  Mitchell Moreau Morrison Murphy Nakamura Nielsen Novak Nowak Nwosu Oduya Oliveira Olsen Otieno Owens
  Parker Patterson Pereira Peterson Pillai Quinn Raman Reddy Reynolds Ribeiro Richter Romano Rossi
  Rousseau Russell Sandoval Santos Sato Schmidt Schneider Schwarz Silva Simmons Sørensen Stewart
  Suzuki Svensson Tanaka Taylor Thompson Torres Tremblay Turner Ueda Van-Dijk Vasquez Vieira Vogel
  Wagner Walsh Watanabe Weber Weiss White Williams Wójcik Wright Yamamoto Young Zanetti Zielinski`)

const COMPANY_FIRST = words(`
  Acorn Alder Amberfield Aurora Beacon Birchwood Bluewater Brightside Brookfield Canyon Cedar
  Clearview Cobalt Coral Crestline Driftwood Eastgate Elm Evergreen Fairview Fernhill Foxglove
  Granite Greenleaf Harbor Hawthorn Highland Horizon Ironbridge Juniper Kingfisher Lakeside Larkspur
  Lighthouse Lindenhof Maple Meadow Mistral Moonrise Northgate Oakmont Orchard Paperclip Pebble
  Pinecrest Quarry Redwood Riverbend Rosewood Saltmarsh Silverline Snowdrop Southbank Stonebridge
  Sunflower Tidewater Timberline Tulip Valleyview Waterford Westbrook Wildflower Willow Woodland`)

const COMPANY_TRADE = words(`
  Accounting Analytics Architects Bakery Bikes Books Brewing Builders Catering Ceramics Cleaning
  Coffee Consulting Cosmetics Dairy Dental Design Digital Education Electronics Engineering Events
  Farms Films Fitness Flooring Foods Furniture Gardens Glassworks Hardware Homes Hotels Insurance
  Interiors Kitchens Labs Landscaping Laundry Legal Lighting Logistics Marketing Media Motors Music
  Networks Optics Outfitters Packaging Paints Pharmacy Photography Plumbing Pottery Press Printing
  Produce Properties Publishing Recruitment Recycling Robotics Roofing Software Solar Studios Supplies
  Systems Textiles Tools Toys Travel Tutoring Veterinary Vineyards Wellness Woodworks`)

const COMPANY_FORM = ['Inc.', 'LLC', 'Ltd', 'GmbH', 'S.A.', 'B.V.', 'AB', 'Pty Ltd', '']

/** Names of nobody, people and companies by turns; the same for the same chance. */
export function cleanNames(count: number, chance: Chance): string[] {
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? person : company)(chance))
}

function person(chance: Chance): string {
  const given = pick(GIVEN, chance)
  const shape = chance()
  if (shape < 0.15) return `${given} ${pick(GIVEN, chance)} ${pick(FAMILY, chance)}`
  if (shape < 0.25) return `${pick(FAMILY, chance)}, ${given}`
  if (shape < 0.35) return `${given} ${pick(FAMILY, chance)}-${pick(FAMILY, chance)}`
  return `${given} ${pick(FAMILY, chance)}`
}

function company(chance: Chance): string {
  const first = chance() < 0.25 ? pick(FAMILY, chance) : pick(COMPANY_FIRST, chance)
  const trades = [pick(COMPANY_TRADE, chance)]
  if (chance() < 0.3) trades.push(`& ${pick(COMPANY_TRADE, chance)}`)
  return [first, ...trades, pick(COMPANY_FORM, chance)].join(' ').trim()
}
