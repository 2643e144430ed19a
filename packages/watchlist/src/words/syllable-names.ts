/**
 * Syllables of Korean and Chinese names in the romanisations that lists and papers use beside one
 * another: Revised, McCune-Reischauer and Northern for Korean, Pinyin and Wade-Giles for Chinese,
 * and the Burmese honorific that is written short. A table of our own.
 */
export const SYLLABLES = `
chol chul cheol
yong young yeong
jin chin
jae che
song seong sung
hyon hyun hyeon
hyok hyuk hyeok
hui hee
gwang kwang
guk kuk kook gook
gun kun geun keun
gyong kyong kyung gyeong kyeong
myong myung myeong
byong pyong byung byeong
jun chun joon
sun soon
sik shik
suk sok seok sook
tok dok deok tuk duk
won weon
hun hoon
gyu kyu
gi ki
ryol ryeol yol yeol
sop seop sup
xi hsi
xu hsu
xiao hsiao
xue hsueh
xin hsin
xiang hsiang
xian hsien
zhi chih
shi shih
zi tzu
ze tse
zong tsung
jie chieh
jian chien
qing ching
guo kuo
dong tung
de teh
maung mg
`
