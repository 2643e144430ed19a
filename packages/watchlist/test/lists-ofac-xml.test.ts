import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListRefused } from '../src/index.ts'
import { namesOf, readCurrent, readList } from './published-files.ts'

const NULLS = '-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- '
const CSV = {
  'sdn.csv': `1,"DOE, Jane","individual","SDGT",${NULLS},"DOB 70."\r\n2,"BANK VTB PAO",-0- ,"X",${NULLS},-0- \r\n\u001a`,
  'alt.csv': `2,12,"aka","VTB BANK",-0- \r\n\u001a`,
}

const name = (inside: string, low = 'false', primary = 'false') => `<name>
  <isPrimary>${primary}</isPrimary><aliasType refId="1">F.K.A.</aliasType>
  <isLowQuality>${low}</isLowQuality><translations>${inside}</translations></name>`
const spelt = (full: string, main = 'true') => `<translation><isPrimary>${main}</isPrimary>
  <formattedFullName>${full}</formattedFullName></translation>`
const ENHANCED = `<?xml version="1.0"?><sanctionsData xmlns="x"><entities>
<entity id="1"><generalInfo><entityType>Individual</entityType></generalInfo>
  <names>${name(spelt('SOMEBODY ELSE'), 'false', 'true')}${name(spelt('WRONG PARTY'))}</names></entity>
<entity id="2"><generalInfo><entityType>Entity</entityType></generalInfo>
  <names>${name(spelt('БАНК ВТБ ПАО', 'false') + spelt('BANK VTB, PAO'), 'false', 'true')}
  ${name(spelt('WEAK ONE'), 'true')}</names>
  <features><feature><type>Digital Currency Address - NEWCOIN</type><value>abc123</value></feature>
  <feature><type>Website</type><value>vtb.example</value></feature></features></entity>
<entity id="3"><names>${name(spelt('NOT IN THE CSV FILES'), 'false', 'true')}</names></entity>
</entities></sanctionsData>`

const ADVANCED = `<?xml version="1.0"?><Sanctions xmlns="x"><ReferenceValueSets>
<AliasTypeValues><AliasType ID="1400">A.K.A.</AliasType></AliasTypeValues>
<FeatureTypeValues><FeatureType ID="344">Digital Currency Address - XBT</FeatureType></FeatureTypeValues>
<NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType>
<NamePartType ID="1521">First Name</NamePartType></NamePartTypeValues></ReferenceValueSets>
<DistinctParties><DistinctParty FixedRef="1"><Profile ID="1"><Identity>
<Alias AliasTypeID="1400" Primary="true" LowQuality="false"><DocumentedName>
<DocumentedNamePart><NamePartValue NamePartGroupID="8">Jane</NamePartValue></DocumentedNamePart>
<DocumentedNamePart><NamePartValue NamePartGroupID="7">DOE</NamePartValue></DocumentedNamePart>
</DocumentedName></Alias>
<Alias AliasTypeID="1400" Primary="false" LowQuality="true"><DocumentedName>
<DocumentedNamePart><NamePartValue NamePartGroupID="7">JD</NamePartValue></DocumentedNamePart>
</DocumentedName></Alias>
<NamePartGroups><MasterNamePartGroup><NamePartGroup ID="7" NamePartTypeID="1520"/></MasterNamePartGroup>
<MasterNamePartGroup><NamePartGroup ID="8" NamePartTypeID="1521"/></MasterNamePartGroup></NamePartGroups>
</Identity><Feature FeatureTypeID="344"><FeatureVersion><VersionDetail>1Boat</VersionDetail></FeatureVersion></Feature>
</Profile></DistinctParty></DistinctParties></Sanctions>`

test('the enhanced file adds original script, weak aliases and wallets to the parties of the CSV files', () => {
  const [jane, bank, ...others] = readList('OFAC_SDN', { ...CSV, 'sdn_enhanced.xml': ENHANCED })
  assert.deepEqual(others, [])
  assert.deepEqual(bank?.aliases, [
    { name: 'VTB BANK', quality: 'strong', kind: 'aka' },
    { name: 'БАНК ВТБ ПАО', quality: 'strong', kind: 'fka' },
    { name: 'WEAK ONE', quality: 'weak', kind: 'fka' },
  ])
  assert.deepEqual(bank.addresses, [{ ticker: 'NEWCOIN', address: 'abc123' }])
  // The same number, but another party: nothing is taken from it.
  assert.deepEqual(namesOf(jane), ['DOE, Jane'])
})

test('the advanced file adds the same', () => {
  const [jane] = readList('OFAC_SDN', { ...CSV, 'sdn_advanced.xml': ADVANCED })
  assert.deepEqual(jane?.aliases, [{ name: 'JD', quality: 'weak', kind: 'aka' }])
  assert.deepEqual(jane.addresses, [{ ticker: 'XBT', address: '1Boat' }])
})

test('a party renamed in the enhanced file is known by a strong name that it kept', () => {
  const kept = (low: string) => `<?xml version="1.0"?><sanctionsData xmlns="x"><entities>
<entity id="2"><names>${name(spelt('VTB PAO RENAMED'), 'false', 'true')}${name(spelt('VTB BANK'), low)}</names></entity>
</entities></sanctionsData>`
  const namesWith = (low: string) =>
    namesOf(readList('OFAC_SDN', { ...CSV, 'sdn_enhanced.xml': kept(low) })[1])
  assert.deepEqual(namesWith('false'), ['BANK VTB PAO', 'VTB BANK', 'VTB PAO RENAMED'])
  assert.deepEqual(namesWith('true'), ['BANK VTB PAO', 'VTB BANK'])
})

test('an XML file that does not read whole is refused with the list', () => {
  for (const text of [ENHANCED.slice(0, -5), '<html></html>', ''])
    assert.throws(() => readList('OFAC_SDN', { ...CSV, 'sdn_enhanced.xml': text }), ListRefused)
})

test('a list without its main files is refused', () => {
  assert.throws(() => readList('OFAC_SDN', { 'sdn.csv': CSV['sdn.csv'] }), /alt\.csv is missing/)
  assert.throws(() => readList('OFAC_CONS', CSV), /cons_prim\.csv is missing/)
})

test('the full non-SDN list is read whole', (t) => {
  const entries = readCurrent(t, 'OFAC_CONS')
  if (entries === undefined) return
  assert.equal(entries.length, 442)
  // Its remarks go on in the comments file, through a weak alias.
  assert.ok(
    entries
      .find(({ entryId }) => entryId === '17014')
      ?.aliases.some(({ name }) => name === 'RUSAG'),
  )
})
