import { SYLLABLES } from './syllable-names.ts'

/**
 * Given names that are one name in different languages or spellings, and short forms. Tables of our
 * own: the names that sanctions lists and their homelands bear most. Words in normal form.
 */
const SAME_NAME = `
muhammad mohammad mohamed mohammed mohamad muhammed muhamad mohamud mohamoud muhamed mehmed mehmet mahomet magomed mokhammad mukhamed mohd mukhammad mamadou mochammad mohammod mohamadou muhamet md muhd
ahmad ahmed ahmet akhmad akhmed ahmat achmad
mahmud mahmoud mehmood mahmood makhmud mahmut
husayn hussein hussain husain hossein hosein husein huseyin hussien hosain khusein husseyn hoseyn
hasan hassan khasan hasen
usama osama ussama oussama usamah osamah ussamah oussamah
umar omar omer oumar umer
uthman othman osman usman ousmane uthmaan osmane
yusuf youssef yousef yousuf joseph josef jose yosef giuseppe iosif jozef josip yousif yusef youssouf yusif josefo jozsef yussuf yosif yusup
ibrahim abraham ibragim ibraheem brahim ebrahim ibrahima avraham abram ibrahem
musa moussa mousa moses moshe moise
isa issa eissa eesa
yahya yahia john yehia iahia
ivan jan juan jean johannes giovanni joao hans johan sean ian ioannis yannis ioan jonas janez ivane johann jon
dawud daoud dawood david daud davud davit dawid davide daud
sulayman suleiman sulaiman soliman solomon suleyman soleiman suleman sulejman soleyman
ishaq isaac ishak itzhak yitzhak iskhak
yaqub yaqoub jacob yakub jakob yakov yacoub james jaime yaakov iakov jakub
aleksandr alexander alexandre alejandro oleksandr aliaksandr alexandr aleksander alessandro alexandru alexandros aleksandar iskander iskandar aliaksandar alyaksandr aleksandrs
aleksey alexey alexei aleksei oleksiy oleksii alexis aliaksei aleksejs alexi aleksi
sergey sergei serge sergio serhiy serhii siarhei sergejs sergii sergiy sjergej sergej
andrey andrei andrew andreas andre andrii andriy andrzej andres andrea andrejs andrej andras
mikhail michael mikhael miguel michel mykhailo mikhailo mihail michail mikael mihai micheal mykhaylo mikail mihails
nikolay nikolai mikalay nicholas nicolas mykola nikola mikalai nikolaos nicola nikolaj niklas nikolajs
pyotr petr peter pedro pierre petro piotr pietro petar piter petros
pavel paul pablo pavlo pawel paolo pavlos paval
yevgeny evgeny yauheni yevhenii evgeni eugene yevgeniy evgeniy yevhen evgenii yauhen evgenij yevgeni jevgenijs ievgen
georgy georgiy george georgi heorhiy jorge georges georg giorgi giorgio yuri yuriy yury iurii yurii georgios jurij
vladimir volodymyr uladzimir vladimer wladimir vladymir wolodymyr
dmitry dmitri zmitser dmitriy dimitri dmytro dzmitry dimitry dmitrii demetrios dmitrij
viktor victor wiktor viktar viktors
vasily vasiliy vasyl vasili basil vasil vasilii vassili
igor ihor ihar
hleb gleb hlib
oleg oleh aleh alieh
grigory grigoriy ryhor gregory grigori hryhoriy hryhorii gregorio
stepan stephen steven stefan esteban stephane etienne stepanov stefano
konstantin constantine kostiantyn kanstantsin constantin konstantinos
anatoly anatoliy anatol anatolii anatoli
valery valeriy valeri valerii
vitaly vitaliy vitalii vital
gennady gennadiy gennadi hennadiy gennadii
arkady arkadiy arkadii arkadi
ilya illia ilia elias elijah ilyas elie eliyahu
maksim maxim maksym maxime
roman romain
timofey timothy timofei
matvey matthew mateo matteo matthias mathieu matias matvei
luka luke lucas luca lukas
marko mark marco marcos marcus markus marc
tomas thomas tommaso tom foma
alexandra aleksandra oleksandra alejandra alessandra
anton antonio anthony antoine antonios antony
filip philip felipe philippe phillip filippo philipp
simon shimon semyon semen simeon
daniel danil danylo danilo daniil daniyal danial
lev leo leon leonid
kirill cyril kyrylo kiril
yelena elena olena helena helen alena
yekaterina ekaterina katsiaryna katerina catherine kateryna katherine catalina caterina katarina ekaterini
natalya nataliya natalia nataliia natalie nathalie natalja
tatyana tatiana tetiana tetyana
denis dzianis denys dennis
artem artyom arciom artsiom
svetlana svitlana sviatlana
anna hanna ana anne hannah ganna
mariya maria mary marie mariia maryam mariam miriam maryem marya
olga olha volha volga
yulia yuliya julia iuliia iulia
irina iryna irene iryne
oksana aksana
ksenia kseniya xenia
abdullah abdallah abdulla abdalla abdoullah abdellah abdala abdullahi abdullo abdoulla abdallahi
abd abdul abdel abdal abdoul abdol abdu abdool abdur abdus abdolah
abdurrahman abdulrahman abdelrahman abderrahman abdirahman abdrahman abdurahman abdalrahman abderrahmane abdirrahman
rahman rehman rahmaan rakhman
nasir nasser naser nassir nasr
said saeed saed saaid sayed syed sayyid seyed seyyed sayid sayyed saiid
jafar jaafar djafar jaffar cafer gafar
qasim kassem qassem kasim kassim qasem ghassem ghasem casim gassim
mahdi mehdi mahdy el-mahdi
reza rida ridha raza rizaa riza
mustafa mostafa mustapha moustafa moustapha mostapha
khalid khaled haled khalede halid
tariq tarek tarik tareq tareck
ayman aiman aymen
ali aly alli
hamza hamzah khamza hamzeh
khalil haleel khaleel halil jalil
jamal gamal djamal cemal djamel jamel kamal kamel kemal
karim kareem kerim abdelkarim abdulkarim
rashid rasheed rachid rashed raschid reshid
salih saleh salah saalih
salim saleem selim salem
samir sameer
walid waleed oualid
yasir yasser yasin yassin yaser yassir
zayd zaid zayed ziad ziyad zeid
faysal faisal feisal faycal
fahd fahad fahed
hisham hicham hesham
imad emad imed
isam essam issam
ismail ismael ishmael esmail ismayil esmaeil ismaeel ismoil
jabir jaber gaber djaber
majid majeed madjid
marwan marouane merwan
munir mounir moneer
nabil nabeel
nur noor nour nuri nouri noori
qadir kader qader kadir qadeer
rafiq rafik rafic rafeeq
shaykh sheikh shaikh cheikh sheik sheykh shekh seyh
sharif cherif shareef serif sherif
tahir taher tahar
taha tahaa
wahid waheed ouahid
zahir zaher zaheer
akhund akhond akhoond akhundzada
haji hajji hadji hajj haj hadj
mullah mulla mollah molla
mawlawi maulvi maulavi mawlavi maulawi molavi
din deen eddine eddin addin aldin aldeen ud
aziz azeez azez
latif lateef letif
hakim hakeem
amir ameer emir
wali vali walli
khan
bin ben ibn bn
ould wuld weld
abu abou abo
mawlawi maulvi maulavi mawlavi maulawi molavi mawlavi
fazl fazal fadl fadhl
sayf saif seif
murtada murtaza morteza mortaza
ramadan ramazan romdhane ramadhan
habib habeeb hbib
shah schah chah
kim gim
lee li yi ri rhee i
park pak bak
choi choe choy
jung jong chung jeong chong
jo cho joe
kang gang
ryu yu yoo
no roh noh ro
chiang jiang
chang zhang
hsu xu
tsai cai
wong wang huang
cheung zhang
ng wu
lam lin
oun un eun
organization organisation org
center centre
defense defence
theater theatre
labor labour
harbor harbour
chen chan
qaeda qaida qaidah qaedah kaida kaeda
hizballah hezbollah hizbullah hizbollah hisbollah hisbullah hezballah hezbullah hezbolla hizbolla hizbulla hizballa khezbolla khizballa khizbulla khezbollakh khizballakh khezballa
brothers bros
brigade battalion
international intl int
management menedzhment menejment
bank banka banque banco
institute institut instituto
technologies tekhnologii tekhnologiya technology tecnologia
foundation fondation fundacion fond
industries industrie industria industrial industry industriel
finance financial finances financiera financiere finans
investment investments invest investissement inversiones inversion
trading trade traders trd
shipping shpg
development dev
machinery machine machines
manufacturing manufacture mfg
electronics electronic elektronika
chemical chemicals
commercial commerce comercial
enterprises enterprise entreprise
logistics logistic logistica logistika
engineering engg
transport transporte
first 1st
second 2nd
third 3rd
`
/** Short forms beside the name they stand for. Persons only. */
const SHORT_FORMS = `
william bill billy will willie liam
robert bob bobby rob robbie bert
richard dick rick ricky rich
james jim jimmy jamie
john jack johnny jon
joseph joe joey
jose pepe
francisco paco pancho
edward ed eddie ted teddy ned
theodore ted teddy theo
thomas tom tommy
michael mike mikey mick mickey
matthew matt
daniel dan danny
david dave davey
anthony tony
antonio tony toni
andrew andy drew
alexander alex al sandy sasha alec
aleksandr sasha alex
benjamin ben benny benji bibi
charles charlie chuck chas
christopher chris kit topher
christine chris chrissy tina
kristina tina kris
donald don donny
douglas doug
frederick fred freddy freddie
gerald gerry jerry
gregory greg
henry harry hank hal
jacob jake
jeffrey jeff
geoffrey geoff jeff
jonathan jon jonny
joshua josh
kenneth ken kenny
lawrence larry laurie
leonard len lenny leo
louis lou louie
nathaniel nathan nate nat
nathan nate
nicholas nick nicky
patrick pat paddy
patricia pat patty tricia trish
peter pete
philip phil
raymond ray
ronald ron ronnie
samuel sam sammy
samantha sam
stephen steve stevie
steven steve
timothy tim timmy
vincent vince vinny
walter walt wally
zachary zach zack
albert al bert
alfred alf fred al
arthur art artie
ernest ernie
eugene gene
harold hal harry
herbert herb bert
katherine kate kathy katie kitty kat
catherine cathy kate cate katie
elizabeth liz beth betty lizzie eliza betsy libby
margaret maggie meg peggy marge greta
susan sue suzy susie
deborah deb debbie
barbara barb babs
jennifer jen jenny
jessica jess jessie
judith judy
kimberly kim
pamela pam
rebecca becky becca
sandra sandy
theresa terry tess
victoria vicky tori
virginia ginny
dorothy dot dolly
eleanor ellie nell nora
abigail abby gail
amanda mandy
vladimir vova volodya
dmitry dima
sergey seryozha
mikhail misha
nikolay kolya
yevgeny zhenya
ivan vanya
alexey alyosha lyosha
yuri yura
konstantin kostya
anatoly tolya
boris borya
maria masha
yekaterina katya
natalya natasha
tatyana tanya
svetlana sveta
anastasia nastya
yelena lena
ludmila lyuda
guillermo memo
ignacio nacho
jesus chuy
enrique quique kike
eduardo lalo edu
roberto beto
alberto beto
manuel manolo manny
rafael rafa
fernando nando
luis lucho
gabriel gabe gabi
kennedy ken
mitchell mitch
bernard bernie
clifford cliff
gilbert gil
marjorie marge
rosalind ros
`

/** Every line is a group of its own; a word that stands on two lines belongs to the first. */
const SPELLINGS = SAME_NAME.trimEnd() + SYLLABLES

const GROUP_OF = new Map<string, number>()
const SHORT_OF = new Map<string, number[]>()

readTable(SPELLINGS, (word, line) => {
  if (!GROUP_OF.has(word)) GROUP_OF.set(word, line)
})
readTable(SHORT_FORMS, (word, line) => {
  const lines = SHORT_OF.get(word)
  if (lines === undefined) SHORT_OF.set(word, [line])
  else lines.push(line)
})

function readTable(table: string, visit: (word: string, line: number) => void): void {
  table
    .trim()
    .split('\n')
    .forEach((line, at) => {
      for (const word of line.split(' ')) visit(word, at)
    })
}

/** Number of the group of spellings to which a given name belongs, or -1. */
export function variantGroup(word: string): number {
  return GROUP_OF.get(word) ?? -1
}

/** True for a word that is a short form or has one. */
export function hasShortForms(word: string): boolean {
  return SHORT_OF.has(word)
}

/** True when one of the words is a short form of the other, or both are of one name. */
export function areShortForms(a: string, b: string): boolean {
  const left = SHORT_OF.get(a)
  const right = SHORT_OF.get(b)
  return left !== undefined && right !== undefined && left.some((line) => right.includes(line))
}

/** The first word of each group: what stands for it in a key. */
export const VARIANT_GROUPS: readonly (readonly string[])[] = SPELLINGS.trim()
  .split('\n')
  .map((line) => line.split(' '))
