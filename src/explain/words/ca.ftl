### Català. Un predicat és el que segueix una jugada: «Cc7+» + «ataca alhora ...».
### OF, TO i GENDER donen les altres formes d'un nom.

## Noms

piece-at = { $kind ->
        [pawn] el peó
        [knight] el cavall
        [bishop] l'alfil
        [rook] la torre
        [queen] la dama
       *[king] el rei
    } { FILE($square) ->
        [a] d'
        [e] d'
       *[other] { "de " }
    }{ $square }
    .of = { $kind ->
        [pawn] del peó
        [knight] del cavall
        [bishop] de l'alfil
        [rook] de la torre
        [queen] de la dama
       *[king] del rei
    } { FILE($square) ->
        [a] d'
        [e] d'
       *[other] { "de " }
    }{ $square }
    .for = { $kind ->
        [pawn] pel peó
        [knight] pel cavall
        [bishop] per l'alfil
        [rook] per la torre
        [queen] per la dama
       *[king] pel rei
    } { FILE($square) ->
        [a] d'
        [e] d'
       *[other] { "de " }
    }{ $square }
    .to = { $kind ->
        [pawn] al peó
        [knight] al cavall
        [bishop] a l'alfil
        [rook] a la torre
        [queen] a la dama
       *[king] al rei
    } { FILE($square) ->
        [a] d'
        [e] d'
       *[other] { "de " }
    }{ $square }
    .gender = { $kind ->
        [rook] f
        [queen] f
       *[other] m
    }
the-piece = { $kind ->
        [pawn] el peó
        [knight] el cavall
        [bishop] l'alfil
        [rook] la torre
        [queen] la dama
       *[king] el rei
    }
    .of = { $kind ->
        [pawn] del peó
        [knight] del cavall
        [bishop] de l'alfil
        [rook] de la torre
        [queen] de la dama
       *[king] del rei
    }
    .for = { $kind ->
        [pawn] pel peó
        [knight] pel cavall
        [bishop] per l'alfil
        [rook] per la torre
        [queen] per la dama
       *[king] pel rei
    }
    .to = { $kind ->
        [pawn] al peó
        [knight] al cavall
        [bishop] a l'alfil
        [rook] a la torre
        [queen] a la dama
       *[king] al rei
    }
    .gender = { $kind ->
        [rook] f
        [queen] f
       *[other] m
    }
the-square = la casella { $square }
    .of = de { the-square }
    .for = per { the-square }
    .to = a { the-square }
    .gender = f
player = { $color ->
        [white] les blanques
       *[black] les negres
    }
    .of = de { player }
    .for = per { player }
    .to = a { player }
    .gender = f
counted = { $kind ->
        [pawn] { $count ->
            [1] un peó
            [2] dos peons
            [3] tres peons
           *[other] { $count } peons
        }
        [knight] { $count ->
            [1] un cavall
            [2] dos cavalls
           *[other] { $count } cavalls
        }
        [bishop] { $count ->
            [1] un alfil
            [2] dos alfils
           *[other] { $count } alfils
        }
        [rook] { $count ->
            [1] una torre
            [2] dues torres
           *[other] { $count } torres
        }
       *[queen] { $count ->
            [1] una dama
            [2] dues dames
           *[other] { $count } dames
        }
    }
new-piece = { $kind ->
        [knight] un altre cavall
        [bishop] un altre alfil
        [rook] una altra torre
       *[queen] una dama nova
    }
list = { $first }, { $second }
list-end = { $first } i { $second }

## Com és la jugada

grade = { $grade ->
        [best] { $move } és la millor jugada.
        [good] { $move } és una bona jugada.
        [playable] { $move } és jugable, però no és la millor jugada.
        [inaccuracy] { $move } és una imprecisió.
        [mistake] { $move } és un error.
       *[blunder] { $move } és un error greu.
    }
changes-little = { $move } canvia poc.
hastens = { $move } accelera el final.
howler = { $move } regala una peça en una partida que ja estava perduda.
theory-though = { $move } és una jugada de teoria, tot i que { $better } és millor.
theory = { $move } és una jugada de teoria.
opening = { $name } ({ $eco }).
only-legal = { $move } és forçada: no hi ha cap altra jugada legal.
only-good = { $move } és l'única jugada: qualsevol altra seria un error.
stands = { $state ->
        [winning] { $player } tenen la partida guanyada.
        [better] { $player } tenen un avantatge clar.
        [slightly-better] { $player } estan una mica millor.
        [equal] La posició està igualada.
        [slightly-worse] { $player } estan una mica pitjor.
        [worse] { $player } estan clarament pitjor.
       *[lost] { $player } tenen la partida perduda.
    }
either-way = { $state ->
        [winning] { $player } tenen la partida guanyada en tots dos casos.
        [better] { $player } tenen un avantatge clar en tots dos casos.
        [slightly-better] { $player } estan una mica millor en tots dos casos.
        [equal] La posició està igualada en tots dos casos.
        [slightly-worse] { $player } estan una mica pitjor en tots dos casos.
        [worse] { $player } estan clarament pitjor en tots dos casos.
       *[lost] { $player } tenen la partida perduda en tots dos casos.
    }
turns = { $before ->
        [winning] { $player } tenien la partida guanyada
        [better] { $player } tenien un avantatge clar
        [slightly-better] { $player } estaven una mica millor
        [equal] La posició estava igualada
        [slightly-worse] { $player } estaven una mica pitjor
       *[worse] { $player } estaven clarament pitjor
    } i ara { $after ->
        [better] només tenen un avantatge clar.
        [slightly-better] només estan una mica millor.
        [equal] la posició està igualada.
        [slightly-worse] { $before ->
            [equal] { $player } estan
           *[other] estan
        } una mica pitjor.
        [worse] { $before ->
            [equal] { $player } estan
           *[other] estan
        } clarament pitjor.
       *[lost] { $before ->
            [equal] { $player } tenen
           *[other] tenen
        } la partida perduda.
    }
expects = Amb la millor jugada { $player } podien esperar el { $before } % del punt, i amb aquesta el { $after } %.
mates = { $proof ->
        [proved] Fa mat per força en { $moves } { $moves ->
            [one] jugada
           *[other] jugades
        }.
       *[seen] El motor hi veu mat en { $moves }.
    }
mate-delayed = { $proof ->
        [proved] Encara fa mat, però en { $moves } jugades en lloc de { $best }.
       *[seen] El motor encara hi veu mat, però en { $moves } jugades en lloc de { $best }.
    }
mate-missed = { $proof ->
        [proved] Deixa escapar un mat en { $moves }.
       *[seen] Deixa escapar un mat en { $moves } que el motor veu.
    }
mate-allowed = { $proof ->
        [proved] Permet que { $opponent } facin mat en { $moves }.
       *[seen] Ara el motor veu mat { OF($opponent) } en { $moves }.
    }
mate-suffered = { $proof ->
        [proved] { $opponent } fan mat per força en { $moves }.
       *[seen] El motor veu mat { OF($opponent) } en { $moves }.
    }
mate-hastened = { $proof ->
        [proved] Ara { $opponent } fan mat en { $moves }; la millor defensa hauria resistit { $best } jugades.
       *[seen] El motor veu mat { OF($opponent) } en { $moves }; la millor defensa hauria resistit { $best } jugades.
    }

## Frases al voltant d'un predicat

says-it = { $predicate }.
is-answered = A { $move } segueix { $line }.
is-expected = La variant esperada és { $line }.
but-it = però { $predicate }.
says-move = { $move } { $predicate }.
says-answer = Ara { $move } { $predicate }.
says-later = Després de { $line }, { $move } { $predicate }.
says-line = La variant { $line } { $predicate }.
by-itself = { $predicate }.
second-move = En canvi, { $move } { $predicate }.
second-answer = En canvi, { $line } ensopega amb { $move }, que { $predicate }.
better-move = Era millor { $move }.
better-keeps = Era millor { $move }, on no es perd res.
better-why = Era millor { $move }, que { $predicate }.
better-later = Era millor { $line }, i { $move } { $predicate }.
meets-mate = respon a l'amenaça { $move }
makes-mate = amenaça { $move }
meets-threat = respon a l'amenaça { $move }, que { $predicate }
forestalls = s'avança a { $move }, que { $predicate }
prepares = prepara { $move }, que { $predicate }
makes-threat = amenaça { $move }, que { $predicate }
forces-mate = força mat en { $moves }
with-proof = { $sentence } La variant: { $line }.
with-threat = { $sentence } L'amenaça: { $line }.
in-the-line = { $predicate } en la variant esperada
with-way-out = { $sentence } Amb { $move } es perd menys material, { $worth ->
        [worse] però la posició és pitjor
       *[alike] i la posició és més o menys igual de bona
    }.

## Predicats: material

wins = guanya { $won }
wins-for = guanya { $won } per { $lost }
wins-exchange = guanya la qualitat
gets = aconsegueix { $won }
gets-for = aconsegueix { $won } per { $lost }
allows = permet { $won }
allows-for = permet { $won } per { $lost }
loses = perd { $lost }
loses-for = perd { $lost } per { $won }
loses-exchange = perd la qualitat
takes-level = captura { $piece } i deixa el material igualat
levels = { $said } i iguala el material
is-level = { $said }, i el material queda igualat
takes-free = captura { $piece } i cap peça no pot recapturar
opens-line-to = obre la línia { OF($attacker) } cap { TO($piece) }, que queda a mercè del rival
opens-line = obre el camí { OF($slider) } cap a { $square }
opens-line-at = obre la línia { OF($slider) } cap { TO($piece) }
leaves-guard = deixa de defensar { $square }
leaves-guard-of = deixa de defensar { $piece }
leaves-unguarded = deixa de defensar { $piece }, que queda a mercè del rival
leaves-en-prise = deixa { GENDER($piece) ->
        [f] penjada
       *[m] penjat
    } { $piece }
sacrifice = sacrifica { $piece }
sacrifice-exchange = sacrifica la qualitat
for-too-little = { $predicate } i no obté prou a canvi

## Predicats: atacs

trapped = atrapa { $piece }: res no { GENDER($piece) ->
        [f] la
       *[m] el
    } salva
fork = ataca alhora { $targets }
double-attack = fa dues amenaces alhora: { $first } ataca { $first-target } i { $second } ataca { $second-target }
double-check = fa escac doble, amb { $first } i { $second }
discovered-check = fa escac a la descoberta amb { $slider }
discovered-attack = descobreix l'atac { OF($slider) } contra { $target }
pin-prevents-escape = deixa { $pinned } sota atac i sense fugida: { $pinner } { GENDER($pinned) ->
        [f] la
       *[m] el
    } clava contra { $behind }
pin-prevents-attack = aprofita una clavada: { $pinned } no pot capturar { $prey }, perquè { $pinner } { GENDER($pinned) ->
        [f] la
       *[m] el
    } clava contra { $behind }
skewer = enfila { $front } i, al darrere, { $behind }
x-ray = compta amb els raigs X { OF($slider) } a través { OF($through) }
offers-itself = ofereix { $piece }; { $by ->
        [none] la captura
       *[other] la captura amb { $by }
    } falla: { $line }
cannot-take-back = captura { $taken }, i { $by ->
        [none] recapturar
       *[other] recapturar amb { $by }
    } falla: { $line }
offers-itself-in-vain = ofereix { $piece }; { $by ->
        [none] acceptar-ho
       *[other] capturar amb { $by }
    } no és millor que rebutjar-ho: { $line }
offers-itself-dearly = ofereix { $piece }; { $by ->
        [none] la captura
       *[other] la captura amb { $by }
    } seria un error: { $line }
taking-costs = deixa { $piece } a l'abast del rival, però la captura seria un error: { $line }
cannot-take = deixa { $piece } a l'abast del rival, però la captura falla: { $line }
taking-is-worse = capturar { $piece } seria pitjor: { $line }
now-fails = es dirigeix contra { $move }, que ara falla: { $line }
threatens-mate = amenaça mat a { $square } amb { $piece }
threatens-capture = amenaça { $target }

## Predicats: defensors

overloaded = aprofita una peça sobrecarregada: { $defender } no pot defensar alhora { $first } i { $second }
removed-defender = elimina { $defender }, que defensava { $target }
deflection = desvia { $defender }, que defensava { $target }
attraction = atrau { $piece } cap a { $square }
interference = talla la línia entre { $slider } i { $target }
check-first = fa un escac intermedi, abans de capturar a { $square }
intermezzo = és una jugada intermèdia, abans de recapturar a { $square }

## Predicats: reis

mate = és escac i mat
back-rank-mate = fa mat a l'última fila: les peces pròpies tanquen { $king }
named-mate = { $name ->
        [smothered] fa el mat ofegat
        [anastasia] fa el mat d'Anastàsia
        [arabian] fa el mat àrab
        [boden] fa el mat de Boden amb dos alfils
        [epaulette] fa el mat de les xarreteres
       *[opera] fa el mat de l'òpera, amb una torre defensada per un alfil
    }
zugzwang = { $proof ->
        [proved] posa en zugzwang { $player }: qualsevol jugada cedeix alguna cosa
       *[seen] posa en zugzwang { $player }, segons el motor: qualsevol jugada és pitjor que cap
    }
stalemate-trick = ofereix { $piece }: si { GENDER($piece) ->
        [f] la
       *[m] el
    } capturen, és ofegat
perpetual = fa escac continu
loses-castling = { $wing ->
        [king] renuncia a l'enroc curt
        [queen] renuncia a l'enroc llarg
       *[both] renuncia a l'enroc
    }

## Predicats: peons

promotion = corona { $piece } a { $square }
underpromotion = { $reason ->
        [mates] corona { $piece }, que fa mat on una dama no en faria
        [checks] corona { $piece }, que fa escac on una dama no en faria
        [avoids-trick] corona { $piece }, perquè amb una dama hi hauria un parany que acaba en ofegat
       *[avoids-stalemate] corona { $piece }, perquè amb una dama seria ofegat
    }
unstoppable-pawn = deixa via lliure { TO($pawn) }, i res no en pot aturar la coronació

## Predicats: amenaces desateses

ignores-mate = no atura el mat a { $square } amb { $piece }
ignores-capture = no fa res contra l'atac que amenaçava { $target }

## Predicats: què ha canviat

mobility-more = dona més joc { TO($piece) }: { $after } caselles que cap peó rival no ataca, en lloc de { $before }
mobility-less = treu joc { TO($piece) }: { $after ->
        [0] cap casella
        [one] { $after } casella
       *[other] { $after } caselles
    } sense peons rivals que les ataquin, en lloc de { $before }
shelter-more = reforça el refugi { OF($king) }: { $after ->
        [one] { $after } peó
       *[other] { $after } peons
    } al davant en lloc de { $before }
shelter-less = afebleix el refugi { OF($king) }: { $after ->
        [0] cap peó
        [one] { $after } peó
       *[other] { $after } peons
    } al davant en lloc de { $before }
takes-file = { $state ->
        [open] dona una columna oberta { TO($piece) }
       *[half-open] dona una columna semioberta { TO($piece) }
    }
outpost = dona un punt fort { TO($piece) }: un peó el defensa i cap peó rival no hi arriba
weak-square = afebleix { $square }: cap peó { $color ->
        [white] blanc
       *[black] negre
    } no pot ja defensar la casella
passed-pawn = dona { TO($player) } un peó passat a { $square }
isolated-pawn = deixa aïllat { $pawn }
doubled-pawns = dobla els peons { OF($player) } a la columna { FILE($square) }
loses-bishop-pair = { $rival ->
        [has] renuncia a la parella d'alfils, que { $other } conserven
       *[none] renuncia a la parella d'alfils
    }
takes-bishop-pair = { $rival ->
        [has] pren la parella d'alfils { TO($player) } i conserva la seva
       *[none] pren la parella d'alfils { TO($player) }
    }
space-more = dona més espai a les columnes centrals { TO($player) }: { $after } caselles en lloc de { $before }
space-less = treu espai a les columnes centrals { TO($player) }: { $after } caselles en lloc de { $before }

## Predicats: temes

opposition = pren l'oposició: els reis s'encaren i { $rival } han de moure
key-square = porta { $piece } a una casella clau { OF($other) }
square-of-pawn = fica { $piece } dins del quadrat { OF($other) }, a temps d'atrapar-lo
rook-pawn-corner = porta { $piece } al racó davant del peó de torre
wrong-bishop = deixa { $rival } amb l'alfil dolent, que no defensa el racó { $square }
shut-in-rook = deixa { $other } tancada davant del seu peó: cap escac no l'allibera mentre { $piece } es mantingui tan lluny
philidor = munta la defensa de Philidor: { $piece } guarda la seva tercera fila
checks-from-behind = allunya { $bare } fins a { $square } per fer escacs per darrere
lucena = construeix un pont, com a la posició de Lucena: { $piece } protegirà el seu rei dels escacs
rook-behind-passer = posa { $piece } darrere del peó passat de { $place }
cut-off = talla el pas { TO($other) } amb { $piece }
active-king = { $target ->
        [attacked] ataca { $other } amb el rei
        [pawn] acosta { $piece } { TO($other) }
       *[centre] activa { $piece }
    }
outside-passer = compta amb el peó passat de { $square }: el rei que l'aturi quedarà lluny dels altres peons
passer-advances = avança el peó passat a { $square }
passer-advances-by-rook = avança el peó passat a { $square }, amb una torre al darrere
connected-passers = dona { TO($player) } peons passats i units a { $square } i { $place }
protected-passer = dona { TO($player) } un peó passat i defensat a { $square }
protected-passer-moves = porta el peó passat a { $square }, on un altre peó el defensa
breakthrough = trenca: entrega un peó a { $place } perquè un altre coroni a { $square }
triangulation = perd un temps: la posició es repeteix i { $rival } han de moure
pawns-on-bishop-colour = deixa tots els peons { OF($rival) } en el color del seu alfil, que no pot disputar les caselles que tenen al davant
windmill = posa en marxa un molí d'escacs a la descoberta, amb { $piece } al darrere
avoids-pin = evita una clavada d'un alfil a { $place }
makes-bishop-move = fa moure { $bare } altra vegada per recapturar
gives-good-bishop = lliura l'alfil bo i conserva { $other }, tapat pels seus propis peons
mends-pawn = fa que { $other } tingui un peó veí: deixa d'estar aïllat
gives-up-wedge = renuncia a la falca de { $place }: { $piece } defensa ara aquesta casella
takes-post = pren { $taken }, que cap peó no hauria pogut foragitar
takes-own-flight = pren la casella { $square } al propi rei
takes-attacker = pren { $taken }, que atacava { $third }
avoids-trade = evita el canvi { OF($piece) } { FOR($other) }
evades-knight = posa { $piece } fora de l'abast { OF($other) }
trade-opens-file = convida a un canvi a { $square }: un peó recapturaria i obriria la columna per { TO($other) }
prepares-battery = prepara una bateria de dama i alfil contra { $other }
gives-up-file = s'apodera de la columna { FILE($square) } oberta
out-before-pawn = treu { $bare } a { $square } abans que { $place } el tanqui
guarded-post = porta { $bare } a { $square }, on { $other } el defensa i cap peó no el pot foragitar de seguida
clamps = controla { $place } amb un segon peó, contra l'avanç d'un peó rival a aquesta casella
queen-in-centre = porta la dama al centre, a { $square }, on ni peons ni peces menors no la poden atacar de seguida
keeps-guard = continua defensant { $other }: es perdria amb qualsevol altra jugada
fixes-pawn = fixa { $other }, que cap altre peó no pot defensar
fixes-pawns = fixa els peons que té al davant: { $other } seria capturat si avancés
prepares-post = prepara { $place } com a casella per a un cavall
triples-heavy = alinea la dama i les dues torres a la columna { FILE($square) }
aims-to-damage = ataca { $other }: després d'un canvi allà el peó que recaptura queda feble
puts-on-bishop-colour = posa un altre peó en una casella que { $other } pot atacar
leaves-piece = deixa que capturin { $other }
king-hunt = treu { $piece } a camp obert
pawn-ending = passa a un final de peons guanyat per { $player }
pawn-ending-outside = passa a un final de peons en què decideix el peó passat allunyat de { $outside }
pawn-ending-drawn = passa a un final de peons de taules
simplifies = canvia peces amb avantatge de material
blockade = bloqueja { $other } amb { $piece }
lever = colpeja { $other } amb { $piece }
lever-at-king = colpeja { $other } amb { $piece } per obrir línies cap al rei
castles = enroca: el rei queda segur i la torre entra en joc
develops = desenvolupa { $bare } a { $square }
fianchetto = desenvolupa { $bare } a { $square }, a la gran diagonal
centre-pawn = guanya espai al centre amb { $piece }
centralises = centralitza { $bare } a { $square }
pins = clava { $other } amb { $piece }
pins-before-castling = clava { $other } amb { $piece }: l'enroc costaria aquesta peça
breaks-pin = allibera { $piece } d'una clavada
keeps-out = impedeix que les peces rivals arribin a { $place }
keeps-out-pin = impedeix que { $third } arribi a { $place }, on clavaria { $prey }
keeps-out-attack = impedeix que { $third } arribi a { $place }, on atacaria { $prey }
keeps-out-both = impedeix que { $third } arribi a { $place }, on clavaria { $prey }, i { $raider }, que atacaria { $raided }
luft = obre una casella d'escapada { TO($piece) }
pawn-storm = avança { $piece } contra { $other }
seventh-rank = posa { $piece } a la setena fila
doubles-rooks-open = alinea { $piece } i { $other } a la columna oberta { FILE($square) }
doubles-rooks = alinea { $piece } i { $other } a la columna { FILE($square) }
doubles-rooks-against = alinea { $piece } i { $other } contra { $third }
joins-attack = suma { $piece } a l'atac contra { $other }
trades-bad-bishop = canvia un alfil dolent, tancat pels seus propis peons
bad-bishop = deixa { $rival } amb un alfil dolent: els seus propis peons tanquen { $piece }
heads-for-key-square = encamina { $piece } cap a les caselles clau { OF($other) }, i res no l'en pot apartar
key-squares-lost = deixa que { $piece } aparti l'altre rei de les caselles clau { OF($other) }
heads-for-corner = acosta { $piece } al racó { $place }, que l'alfil no defensa
heads-for-pawn-corner = acosta { $piece } al racó { $place }, on coronaria el peó de torre: d'allà no el poden treure
king-shut-in = tanca l'altre rei davant del seu propi peó
king-before-pawn = obliga l'altre rei a posar-se davant del seu propi peó i guanya temps per acostar el rei
king-march = fa avançar el rei fins a { $square }
vancura = ataca { $other } de costat, com a la defensa de Vancura
majority = posa en marxa una majoria de peons amb { $piece }
prepares-trade = prepara el canvi { OF($piece) }, tancat pels seus propis peons, des de { $place }
offers-bad-bishop = ofereix el canvi d'un alfil dolent, tancat pels seus propis peons, { FOR($other) }
buried-bishop = deixa { $piece } fora de joc, tancat darrere dels peons
backward-pawn = deixa endarrerit { $piece }: els peons veïns ja l'han passat i no el poden defensar
shouldering = barra el pas a l'altre rei en el seu camí cap { TO($other) }
two-aims = serveix dos fins alhora: { $piece } s'acosta { TO($other) } i al seu propi peó passat
checks-from-side = fa escac de costat amb { $piece }, des de prou lluny
trades-queens = { $ahead ->
        [pawn] canvia les dames, a favor { OF($player) }, amb un peó de més
        [more] canvia les dames, a favor { OF($player) }, amb més material
       *[level] canvia les dames, a favor { OF($player) }
    }
trades-rooks = { $ahead ->
        [pawn] canvia les últimes torres, a favor { OF($player) }, amb un peó de més
        [more] canvia les últimes torres, a favor { OF($player) }, amb més material
       *[level] canvia les últimes torres, a favor { OF($player) }
    }
takes-castling = pren el dret d'enrocar { TO($rival) }
blocks-c-pawn = bloqueja { $other }, que podria atacar el centre, amb { $piece }
blocks-pawn = bloqueja { $other } amb { $piece } i tanca així un alfil
early-queen = treu { $bare } a { $square } abans que les altres peces
moves-again = mou una altra vegada { $bare }, a { $square }, mentre unes altres són encara a la casella inicial
hits-queen = desenvolupa { $bare } a { $square } i ataca { $other }
minority-attack = comença un atac de minories amb { $piece }, contra { $other }
drives-guard = ataca { $other }, defensa { OF($third) }
presses-guard = pressiona { $other }, única defensa { OF($third) }
prepares-push = prepara l'avanç d'un peó a { $place }
centre-with-tempo = ocupa el centre amb { $piece } i ataca { $other }
gives-up-centre = abandona el centre: cap peó no defensa ja { $other }
opens-file-to-king = obre la columna { FILE($square) } { TO($piece) }, cap { TO($other) }
dominates = deixa { $piece } sense cap casella segura
restrains = dificulta l'avanç d'un peó a { $place }
restrains-attack = dificulta l'avanç d'un peó a { $place }, on atacaria { $prey }
makes-way = deixa pas { TO($piece) }
makes-way-attack = deixa pas { TO($piece) }, que hi ataca { $prey }
stops-pawn = atura { $other } amb { $piece }
trades-guard = elimina l'alfil que protegia el rei
offers-trade = ofereix el canvi { OF($piece) } { FOR($other) }
offers-trade-uncovered = obre el pas { OF($piece) } cap a { $other }, per al canvi
offers-trade-on-file = disputa la columna oberta { FILE($square) }: { $piece } es pot canviar per { $other }
hunts-bishop = persegueix { $other }, per quedar-se amb la parella d'alfils
clears-pawn = aclareix el camí { OF($piece) } cap a { $place }
prepares-fianchetto = prepara el desenvolupament d'un alfil a { $place }
lets-out-bishop = obre la diagonal { OF($other) }
leaves-line = aparta el rei de la línia { OF($other) }
takes-square = pren la casella { $place } a les peces contràries
keeps-from = controla { $place }: el que hi vagi es perd
keeps-piece-from = controla { $place }: { $third } s'hi perdria
keeps-pawn-from = impedeix que { $third } avanci a { $place }, on atacaria { $prey }
rook-lift = puja { $bare } a { $square }, per portar-la cap al rei
releases-tension = desfà la tensió: cap peó no ataca ja { $other }
reroutes = porta { $bare } a { $square }
holds-up = frena el peó que aniria a { $place }: es podria capturar al pas
offers-for-good-bishop = ofereix el canvi { OF($piece) } per l'alfil bo del rival
frees-square = elimina un defensor de { $square }, casella que pot ocupar { $other }
prepares-kick = prepara un altre avanç, que faria fora { $other }
avoids-doubling = protegeix { $other }: capturar-lo ja no doblaria els peons
safe-corner = es dirigeix a { $place }, el racó on l'alfil no arriba i el rei està segur
knight-strays = allunya el cavall del seu rei
prepares-advance = prepara l'avanç del peó a { $place }
gains-outpost = guanya { $place } per a un cavall, fora de l'abast dels peons enemics
adds-pressure = augmenta la pressió sobre { $other }
supports = dona suport { TO($other) }
shuts-in-bishop = bloqueja { $other } i tanca així l'alfil del darrere
stays-behind-passer = manté { $bare } darrere del peó passat de { $place }
decoys = deixa { $other } com a esquer per al rei contrari i va a buscar els peons de l'altre flanc
awaits-opposition = pot prendre l'oposició onsevulla que avanci el rei contrari
offers-piece = ofereix { $other }
clears-file = obre la columna { OF($other) }
heads-for-square = porta { $piece } cap a { $place }, on el defensa un peó
regroups = recol·loca { $piece }, camí de { $place }
last-pawn = captura l’últim peó: el que queda no pot forçar el mat
holds-two = frena dos peons amb un: { $piece } atura també { $other }
diagonal-to-king = obre la diagonal { OF($other) } cap al rei
half-opens-file = canvia peons i deixa semioberta la columna { FILE($place) } contra { $other }
offers-for-pair = ofereix el canvi per un dels dos alfils del rival
offers-for-king-guard = ofereix el canvi { FOR($other) }, que defensa el rei
offers-against-isolated = ofereix el canvi de peces, per jugar contra el peó aïllat de { $place }
offers-for-guard = ofereix el canvi { OF($piece) } per un defensor de { $place }
offers-for-attacker = ofereix el canvi { OF($piece) } { FOR($other) }, que ataca { $third }
keeps-file = manté { $bare } a la columna { FILE($square) } oberta
ties-bishop = ataca { $other } i lliga a la seva casella l'alfil que el defensa
frees-bishop = obre la diagonal { OF($other) }, on només queda una peça pròpia
behind-storm = es col·loca darrere { OF($other) }, que ja pot avançar contra el rei
blocks-storm = atura { $other } abans que obri línies contra el rei
closes-to-bishops = tanca la posició, de manera que la parella d'alfils rival té menys camp
opposes-bishop = s'oposa { TO($other) } en la seva diagonal
gives-king-bishop = entrega l'alfil que hi ha darrere { OF($other) } i, amb ell, les caselles del seu color al voltant del rei
guards-break = defensa { $place }, on un peó rival podria obrir línies contra el rei
central-counter = respon a l'avanç al flanc amb un cop al centre, on encara hi ha el rei rival
ties-down = lliga { $piece } a la defensa { OF($other) }
entry-square = defensa { $place }, perquè { $piece } hi pugui entrar
lets-king-in = deixa entrar el rei rival a { $square }
two-for-rook = dona { TO($player) } dues peces menors per una torre
holds-back = vigila { $place }, per frenar el peó de darrere, que cap altre no pot defensar
way-back = dona { TO($piece) } una retirada a { $place }
king-helps = acosta { $piece } al rei rival, per ajudar a fer mat
attack-on-pinned = clava { $other }, que es pot atacar una altra vegada des de { $square }
undermines = ataca { $other }, que defensa { $third }
prepares-lever = prepara un altre avanç, que atacaria { $other }
hidden-attack = col·loca { $piece } darrere d'una peça pròpia que pot descobrir un atac { TO($other) }
shuts-off = talla la retirada { OF($other) }
clears-castling = deixa lloc per a l'enroc
hits-guard = ataca un defensor de { $place }, una casella per a un cavall
bishop-out = treu { $piece } per davant dels seus propis peons
avoids-pawn-ending = evita el canvi de les últimes peces
drives-back = fa anar { TO($other) } a { $refuge }, l'única casella segura
kicks = obliga { TO($other) } a decidir-se
gains-time = guanya temps atacant { $other }
shields = tapa l'atac { TO($other) }
closes-lines = manté tancades les línies cap { TO($other) }
bars-pawn = atura l'avanç { OF($other) }
bars-king = impedeix que el rei rival passi per { $place }
clears-square = deixa lliure { $square } perquè hi vagi { $bare }
opens-way = deixa lliure { $place } a costa d'un peó: { $bare } arriba a { $square }
takes-guard = pren { $taken }, que defensava { $gone }
goes-back = perd temps: { $bare } torna a { $square }
gathers-on-file = reuneix { $piece } i { $other } a la columna { FILE($square) } contra el rei
blocks-own-guard = s'interposa en el camí d'una peça que defensava { $gone }
eases-cramp = canvia una peça, cosa que afavoreix el bàndol amb menys espai
trades-against-isolated = canvia peces per jugar contra el peó aïllat de { $place }
leaves-too-little = deixa { $rival } sense prou material per forçar el mat
leaves-bad-bishop = deixa { $rival } amb un alfil dolent contra un cavall: la majoria dels seus peons són en caselles del seu color
stalemate-guards = només deixa triar entre l'ofegat i la pèrdua { OF($other) }
escapes-fork = treu { $bare } de l'atac doble { OF($other) } amb escac
unblocks-pawn = ja no frena el peó que arriba a { $square }, on ataca { $other }
trades-for-entry = canvia { $gone }, que defensava { $square }, i { $bare } hi arriba
offers-pawn-ending = ofereix el canvi de les últimes peces, perquè el final de peons està guanyat
drives-king-on = empeny el rei rival a { $square }, on ataca { $other }
long-side = va al costat llarg { OF($other) }, on la torre necessita espai per als escacs
holds-passer = defensa { $other }, que es podia prendre
holds = defensa { $other }, que es podia prendre
leaves-square = deixa de controlar { $square }, on { $bare } ja pot anar
gives-up-guard = treu un defensor { TO($other) }, que { $piece } ataca
targets-weak-pawn = es dirigeix contra { $other }, que cap altre peó no pot defensar
offers-for-outpost = ofereix canviar { $piece } { FOR($other) }, que ocupa un punt fort
aims-at-passer = ofereix canviar { $piece }: un peó que recapturi quedarà passat
offers-for-blockader = ofereix canviar { $piece } { FOR($other) }, que barra el pas a un peó
pins-pawn = clava { $other } contra el rei
prepares-fork = prepara un avanç que atacaria alhora { $other } i { $third }
connects-rooks = comunica les torres
central-king = manté el rei al centre, on és útil sense dames
boxes-king = deixa al rei rival menys caselles al seu abast
provokes = obliga el peó a avançar a { $square }: cap ja no defensa { $place }
heads-for-pawn = acosta { $piece } a { $other }, que cap altre peó no pot defensar
takes-king-guard = canvia l’alfil que protegeix el rei
opens-against-king = colpeja amb { $piece } per obrir la columna { FILE($square) } contra el rei
closes-file = tanca la columna { FILE($square) }, darrere la qual es poden reunir les torres
short-side = va al costat curt { OF($other) } i deixa el llarg als escacs de la torre
goes-for-hook = avança cap { TO($other) }, per obrir línies contra el rei
storms-closed-centre = guanya terreny contra el rei, amb el centre tancat
cuts-off-guard = talla el pas a un defensor { OF($other) }

## Fets

fact-answers-check = { $move } respon a un escac.
fact-gives-check = { $move } fa escac.
fact-captures = { $move } captura { $piece }.
fact-recaptures = { $move } recaptura { $piece }.
fact-ends = { $ending ->
        [checkmate] La partida s'acaba: escac i mat.
        [stalemate] La partida s'acaba: ofegat, taules.
        [insufficient-material] Són taules: ningú no té prou peces per fer mat.
        [fifty-moves] Es poden demanar taules per la regla de les cinquanta jugades.
       *[repetition] Es poden demanar taules per repetició.
    }
fact-place = { $place ->
        [centre] { $piece } és al centre.
       *[edge] { $piece } és a la vora.
    }
fact-sees = { $piece } ataca { $after ->
        [one] { $after } casella
       *[other] { $after } caselles
    } (abans, { $before }).
fact-mobility = { $player } tenen { $after ->
        [one] { $after } jugada legal
       *[other] { $after } jugades legals
    } (abans, { $before }).
fact-file = { $state ->
        [open] La columna { FILE($square) }, on ara és la peça, està oberta.
       *[half-open] La columna { FILE($square) }, on ara és la peça, està semioberta per a { $player }.
    }

## L'opinió de la xarxa

net-gains = La xarxa valora més { $piece } que abans: { $pawns } peons, amb un error de { $error }.
net-loses = La xarxa valora menys { $piece } que abans: { $pawns } peons, amb un error de { $error }.

## El full d'una partida comentada

story-opening = Obertura: { $name } ({ $eco }).
story-turning = El moment decisiu va ser { $move }.
story-habit = { $habit ->
        [mate] { $player } van permetre mat { $count } vegades.
        [lost] { $player } van perdre material { $count } vegades.
       *[missed] { $player } van deixar escapar mat o un guany de material { $count } vegades.
    }
story-retry = Per tornar-ho a provar: { $moves }.
page-title = Partides comentades
page-accuracy = Precisió
page-white = Blanques
page-black = Negres
page-opening = obertura
page-middlegame = mig joc
page-endgame = final
page-inaccuracies = Imprecisions
page-mistakes = Errors
page-blunders = Errors greus
page-graph = El resultat que les blanques poden esperar
page-moves = Jugades
page-better = Millor
