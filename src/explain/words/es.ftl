### Español. Un predicado es lo que sigue a una jugada: «Cc7+» + «ataca a la vez ...».
### OF, TO y GENDER dan las otras formas de un nombre.

## Nombres

piece-at = { $kind ->
        [pawn] el peón
        [knight] el caballo
        [bishop] el alfil
        [rook] la torre
        [queen] la dama
       *[king] el rey
    } de { $square }
    .of = { $kind ->
        [pawn] del peón
        [knight] del caballo
        [bishop] del alfil
        [rook] de la torre
        [queen] de la dama
       *[king] del rey
    } de { $square }
    .for = por { piece-at }
    .to = { $kind ->
        [pawn] al peón
        [knight] al caballo
        [bishop] al alfil
        [rook] a la torre
        [queen] a la dama
       *[king] al rey
    } de { $square }
    .gender = { $kind ->
        [rook] f
        [queen] f
       *[other] m
    }
the-piece = { $kind ->
        [pawn] el peón
        [knight] el caballo
        [bishop] el alfil
        [rook] la torre
        [queen] la dama
       *[king] el rey
    }
    .of = { $kind ->
        [pawn] del peón
        [knight] del caballo
        [bishop] del alfil
        [rook] de la torre
        [queen] de la dama
       *[king] del rey
    }
    .for = por { the-piece }
    .to = { $kind ->
        [pawn] al peón
        [knight] al caballo
        [bishop] al alfil
        [rook] a la torre
        [queen] a la dama
       *[king] al rey
    }
    .gender = { $kind ->
        [rook] f
        [queen] f
       *[other] m
    }
the-square = la casilla { $square }
    .of = de { the-square }
    .for = por { the-square }
    .to = a { the-square }
    .gender = f
player = { $color ->
        [white] las blancas
       *[black] las negras
    }
    .of = de { player }
    .for = por { player }
    .to = a { player }
    .gender = f
counted = { $kind ->
        [pawn] { $count ->
            [1] un peón
            [2] dos peones
            [3] tres peones
           *[other] { $count } peones
        }
        [knight] { $count ->
            [1] un caballo
            [2] dos caballos
           *[other] { $count } caballos
        }
        [bishop] { $count ->
            [1] un alfil
            [2] dos alfiles
           *[other] { $count } alfiles
        }
        [rook] { $count ->
            [1] una torre
            [2] dos torres
           *[other] { $count } torres
        }
       *[queen] { $count ->
            [1] una dama
            [2] dos damas
           *[other] { $count } damas
        }
    }
new-piece = { $kind ->
        [knight] otro caballo
        [bishop] otro alfil
        [rook] otra torre
       *[queen] una dama nueva
    }
list = { $first }, { $second }
list-end = { $first } y { $second }

## Cómo es la jugada

grade = { $grade ->
        [best] { $move } es la mejor jugada.
        [good] { $move } es una buena jugada.
        [playable] { $move } es jugable, pero no es la mejor jugada.
        [inaccuracy] { $move } es una imprecisión.
        [mistake] { $move } es un error.
       *[blunder] { $move } es un error grave.
    }
changes-little = { $move } cambia poco.
hastens = { $move } acelera el final.
howler = { $move } regala una pieza en una partida que ya estaba perdida.
theory-though = { $move } es una jugada de teoría, aunque { $better } es mejor.
theory = { $move } es una jugada de teoría.
opening = { $name } ({ $eco }).
only-legal = { $move } es forzada: no hay otra jugada legal.
only-good = { $move } es la única jugada: cualquier otra sería un error.
stands = { $state ->
        [winning] { $player } tienen la partida ganada.
        [better] { $player } tienen una ventaja clara.
        [slightly-better] { $player } están algo mejor.
        [equal] La posición está igualada.
        [slightly-worse] { $player } están algo peor.
        [worse] { $player } están claramente peor.
       *[lost] { $player } tienen la partida perdida.
    }
either-way = { $state ->
        [winning] { $player } tienen la partida ganada en ambos casos.
        [better] { $player } tienen una ventaja clara en ambos casos.
        [slightly-better] { $player } están algo mejor en ambos casos.
        [equal] La posición está igualada en ambos casos.
        [slightly-worse] { $player } están algo peor en ambos casos.
        [worse] { $player } están claramente peor en ambos casos.
       *[lost] { $player } tienen la partida perdida en ambos casos.
    }
turns = { $before ->
        [winning] { $player } tenían la partida ganada
        [better] { $player } tenían una ventaja clara
        [slightly-better] { $player } estaban algo mejor
        [equal] La posición estaba igualada
        [slightly-worse] { $player } estaban algo peor
       *[worse] { $player } estaban claramente peor
    } y ahora { $after ->
        [better] solo tienen una ventaja clara.
        [slightly-better] solo están algo mejor.
        [equal] la posición está igualada.
        [slightly-worse] { $before ->
            [equal] { $player } están
           *[other] están
        } algo peor.
        [worse] { $before ->
            [equal] { $player } están
           *[other] están
        } claramente peor.
       *[lost] { $before ->
            [equal] { $player } tienen
           *[other] tienen
        } la partida perdida.
    }
expects = Con la mejor jugada { $player } podían esperar el { $before } % del punto, y con esta el { $after } %.
mates = { $proof ->
        [proved] Da mate a la fuerza en { $moves } { $moves ->
            [one] jugada
           *[other] jugadas
        }.
       *[seen] El motor ve mate en { $moves }.
    }
mate-delayed = { $proof ->
        [proved] Todavía da mate, pero en { $moves } jugadas en lugar de { $best }.
       *[seen] El motor todavía ve mate, pero en { $moves } jugadas en lugar de { $best }.
    }
mate-missed = { $proof ->
        [proved] Deja escapar un mate en { $moves }.
       *[seen] Deja escapar un mate en { $moves } que el motor ve.
    }
mate-allowed = { $proof ->
        [proved] Permite que { $opponent } den mate en { $moves }.
       *[seen] Ahora el motor ve mate { OF($opponent) } en { $moves }.
    }
mate-suffered = { $proof ->
        [proved] { $opponent } dan mate a la fuerza en { $moves }.
       *[seen] El motor ve mate { OF($opponent) } en { $moves }.
    }
mate-hastened = { $proof ->
        [proved] Ahora { $opponent } dan mate en { $moves }; la mejor defensa habría resistido { $best } jugadas.
       *[seen] El motor ve mate { OF($opponent) } en { $moves }; la mejor defensa habría resistido { $best } jugadas.
    }

## Frases en torno a un predicado

says-it = { $predicate }.
is-answered = A { $move } sigue { $line }.
is-expected = La variante esperada es { $line }.
but-it = pero { $predicate }.
says-move = { $move } { $predicate }.
says-answer = Ahora { $move } { $predicate }.
says-later = Después de { $line }, { $move } { $predicate }.
says-line = La variante { $line } { $predicate }.
by-itself = { $predicate }.
second-move = En cambio, { $move } { $predicate }.
second-answer = En cambio, { $line } tropieza con { $move }, que { $predicate }.
better-move = Era mejor { $move }.
better-keeps = Era mejor { $move }, donde no se pierde nada.
better-why = Era mejor { $move }, que { $predicate }.
better-later = Era mejor { $line }, y { $move } { $predicate }.
meets-mate = responde a la amenaza { $move }
makes-mate = amenaza { $move }
meets-threat = responde a la amenaza { $move }, que { $predicate }
forestalls = se adelanta a { $move }, que { $predicate }
prepares = prepara { $move }, que { $predicate }
makes-threat = amenaza { $move }, que { $predicate }
forces-mate = fuerza mate en { $moves }
with-proof = { $sentence } La variante: { $line }.
with-threat = { $sentence } La amenaza: { $line }.
in-the-line = { $predicate } en la variante esperada
with-way-out = { $sentence } Con { $move } se pierde menos material, { $worth ->
        [worse] pero la posición es peor
       *[alike] y la posición es más o menos igual de buena
    }.

## Predicados: material

wins = gana { $won }
wins-for = gana { $won } por { $lost }
wins-exchange = gana la calidad
gets = consigue { $won }
gets-for = consigue { $won } por { $lost }
allows = permite { $won }
allows-for = permite { $won } por { $lost }
loses = pierde { $lost }
loses-for = pierde { $lost } por { $won }
loses-exchange = pierde la calidad
takes-level = captura { $piece } y deja el material igualado
levels = { $said } e iguala el material
is-level = { $said }, y el material queda igualado
takes-free = captura { $piece } y ninguna pieza puede recapturar
opens-line-to = abre la línea { OF($attacker) } hacia { $piece }, que queda a merced del rival
opens-line = abre { TO($slider) } el camino hacia { $square }
opens-line-at = abre la línea { OF($slider) } hacia { $piece }
leaves-guard = deja de defender { $square }
leaves-guard-of = deja de defender { TO($piece) }
leaves-unguarded = deja de defender { TO($piece) }, que queda a merced del rival
leaves-en-prise = deja { GENDER($piece) ->
        [f] colgada
       *[m] colgado
    } { $piece }
sacrifice = sacrifica { $piece }
sacrifice-exchange = sacrifica la calidad
for-too-little = { $predicate } y no obtiene bastante a cambio

## Predicados: ataques

trapped = atrapa { $piece }: nada { GENDER($piece) ->
        [f] la
       *[m] lo
    } salva
fork = ataca a la vez { $targets }
double-attack = crea dos amenazas a la vez: { $first } ataca { $first-target } y { $second } ataca { $second-target }
double-check = da jaque doble, con { $first } y { $second }
discovered-check = da jaque a la descubierta con { $slider }
discovered-attack = descubre el ataque { OF($slider) } contra { $target }
pin-prevents-escape = deja { $pinned } bajo ataque y sin huida: { $pinner } { GENDER($pinned) ->
        [f] la
       *[m] lo
    } clava contra { $behind }
pin-prevents-attack = aprovecha una clavada: { $pinned } no puede capturar { $prey }, porque { $pinner } { GENDER($pinned) ->
        [f] la
       *[m] lo
    } clava contra { $behind }
skewer = enfila { $front } y, detrás, { $behind }
x-ray = cuenta con los rayos X { OF($slider) } a través { OF($through) }
offers-itself = ofrece { $piece }; { $by ->
        [none] la captura
       *[other] la captura con { $by }
    } falla: { $line }
cannot-take-back = captura { $taken }, y { $by ->
        [none] recapturar
       *[other] recapturar con { $by }
    } falla: { $line }
offers-itself-in-vain = ofrece { $piece }; { $by ->
        [none] aceptarlo
       *[other] capturar con { $by }
    } no es mejor que rechazarlo: { $line }
offers-itself-dearly = ofrece { $piece }; { $by ->
        [none] la captura
       *[other] la captura con { $by }
    } sería un error: { $line }
taking-costs = deja { $piece } a merced del rival, pero la captura sería un error: { $line }
cannot-take = deja { $piece } a merced del rival, pero la captura falla: { $line }
taking-is-worse = capturar { $piece } sería peor: { $line }
now-fails = se dirige contra { $move }, que ahora falla: { $line }
threatens-mate = amenaza mate en { $square } con { $piece }
threatens-capture = amenaza { $target }

## Predicados: defensores

overloaded = aprovecha una pieza sobrecargada: { $defender } no puede defender a la vez { $first } y { $second }
removed-defender = elimina { $defender }, que defendía { $target }
deflection = desvía { $defender }, que defendía { $target }
attraction = atrae { $piece } hacia { $square }
interference = corta la línea entre { $slider } y { $target }
check-first = da un jaque intermedio, antes de capturar en { $square }
intermezzo = es una jugada intermedia, antes de recapturar en { $square }

## Predicados: reyes

mate = es jaque mate
back-rank-mate = da mate en la última fila: las piezas propias encierran { TO($king) }
named-mate = { $name ->
        [smothered] da el mate de la coz
        [anastasia] da el mate de Anastasia
        [arabian] da el mate árabe
        [boden] da el mate de Boden con dos alfiles
        [epaulette] da el mate de las charreteras
       *[opera] da el mate de la ópera, con una torre defendida por un alfil
    }
zugzwang = { $proof ->
        [proved] pone en zugzwang { TO($player) }: cualquier jugada cede algo
       *[seen] pone en zugzwang { TO($player) }, según el motor: cualquier jugada es peor que ninguna
    }
stalemate-trick = ofrece { $piece }: si { GENDER($piece) ->
        [f] la
       *[m] lo
    } capturan, es ahogado
perpetual = da jaque continuo
loses-castling = { $wing ->
        [king] renuncia al enroque corto
        [queen] renuncia al enroque largo
       *[both] renuncia al enroque
    }

## Predicados: peones

promotion = corona { $piece } en { $square }
underpromotion = { $reason ->
        [mates] corona { $piece }, que da mate donde una dama no lo daría
        [checks] corona { $piece }, que da jaque donde una dama no lo daría
        [avoids-trick] corona { $piece }, porque con una dama habría una celada que acaba en ahogado
       *[avoids-stalemate] corona { $piece }, porque con una dama sería ahogado
    }
unstoppable-pawn = deja vía libre { TO($pawn) }, y nada puede impedir que corone

## Predicados: amenazas desatendidas

ignores-mate = no evita el mate en { $square } con { $piece }
ignores-capture = no hace nada contra el ataque que amenazaba { $target }

## Predicados: qué ha cambiado

mobility-more = da más juego { TO($piece) }: { $after } casillas que no ataca ningún peón rival, en lugar de { $before }
mobility-less = quita juego { TO($piece) }: { $after ->
        [0] ninguna casilla
        [one] { $after } casilla
       *[other] { $after } casillas
    } sin peones rivales que las ataquen, en lugar de { $before }
shelter-more = refuerza el refugio { OF($king) }: { $after ->
        [one] { $after } peón
       *[other] { $after } peones
    } delante en lugar de { $before }
shelter-less = debilita el refugio { OF($king) }: { $after ->
        [0] ningún peón
        [one] { $after } peón
       *[other] { $after } peones
    } delante en lugar de { $before }
takes-file = { $state ->
        [open] da una columna abierta { TO($piece) }
       *[half-open] da una columna semiabierta { TO($piece) }
    }
outpost = da un punto fuerte { TO($piece) }: un peón lo defiende y ningún peón rival llega hasta allí
weak-square = debilita { $square }: ningún peón { $color ->
        [white] blanco
       *[black] negro
    } puede ya defender la casilla
passed-pawn = da { TO($player) } un peón pasado en { $square }
isolated-pawn = deja aislado { $pawn }
doubled-pawns = dobla los peones { OF($player) } en la columna { FILE($square) }
loses-bishop-pair = { $rival ->
        [has] renuncia a la pareja de alfiles, que { $other } conservan
       *[none] renuncia a la pareja de alfiles
    }
takes-bishop-pair = { $rival ->
        [has] quita la pareja de alfiles { TO($player) } y conserva la suya
       *[none] quita la pareja de alfiles { TO($player) }
    }
space-more = da más espacio en las columnas centrales { TO($player) }: { $after } casillas en lugar de { $before }
space-less = quita espacio en las columnas centrales { TO($player) }: { $after } casillas en lugar de { $before }

## Predicados: temas

opposition = toma la oposición: los reyes se enfrentan y { $rival } tienen que mover
key-square = lleva { $piece } a una casilla clave { OF($other) }
square-of-pawn = mete { $piece } en el cuadrado { OF($other) }, a tiempo de alcanzarlo
rook-pawn-corner = lleva { $piece } al rincón delante del peón de torre
wrong-bishop = deja { TO($rival) } con el alfil malo, que no defiende el rincón { $square }
shut-in-rook = deja { $other } encerrada ante su propio peón: ningún jaque la libera mientras { $piece } se mantenga tan lejos
philidor = monta la defensa de Philidor: { $piece } guarda su tercera fila
checks-from-behind = aleja { $bare } a { $square } para dar jaques por detrás
lucena = construye un puente, como en la posición de Lucena: { $piece } protegerá a su rey de los jaques
rook-behind-passer = pone { $piece } detrás del peón pasado de { $place }
cut-off = corta el paso { TO($other) } con { $piece }
active-king = { $target ->
        [attacked] ataca { $other } con el rey
        [pawn] acerca { $piece } { TO($other) }
       *[centre] activa { $piece }
    }
outside-passer = cuenta con el peón pasado de { $square }: el rey que lo detenga quedará lejos de los demás peones
passer-advances = avanza el peón pasado a { $square }
passer-advances-by-rook = avanza el peón pasado a { $square }, con una torre detrás
connected-passers = da { TO($player) } peones pasados y unidos en { $square } y { $place }
protected-passer = da { TO($player) } un peón pasado y defendido en { $square }
protected-passer-moves = lleva el peón pasado a { $square }, donde otro peón lo defiende
breakthrough = rompe: entrega un peón en { $place } para que otro corone en { $square }
triangulation = pierde un tiempo: la posición se repite y { $rival } tienen que mover
pawns-on-bishop-colour = deja todos los peones { OF($rival) } en el color de su alfil, que no puede disputar las casillas que tienen delante
windmill = pone en marcha un molino de jaques a la descubierta, con { $piece } detrás
avoids-pin = evita una clavada de un alfil en { $place }
makes-bishop-move = obliga { TO($bare) } a mover otra vez para recapturar
gives-good-bishop = entrega el alfil bueno y conserva { $other }, tapado por sus propios peones
mends-pawn = da un vecino { TO($other) }, que deja de estar aislado
gives-up-wedge = renuncia a la cuña de { $place }: { $piece } defiende ahora esa casilla
takes-post = toma { $taken }, que ningún peón habría podido echar
takes-own-flight = quita la casilla { $square } al propio rey
takes-attacker = toma { $taken }, que atacaba { TO($third) }
avoids-trade = evita el cambio { OF($piece) } por { $other }
evades-knight = pone { $piece } fuera del alcance { OF($other) }
trade-opens-file = invita a un cambio en { $square }: un peón recapturaría y abriría la columna para { $other }
prepares-battery = prepara una batería de dama y alfil contra { $other }
gives-up-file = se adueña de la columna { FILE($square) } abierta
out-before-pawn = saca { TO($bare) } a { $square } antes de que { $place } lo encierre
guarded-post = lleva { TO($bare) } a { $square }, donde { $other } lo defiende y ningún peón puede echarlo de inmediato
clamps = controla { $place } con un segundo peón, contra el avance de un peón rival a esa casilla
queen-in-centre = lleva la dama al centro, a { $square }, donde ni peones ni piezas menores pueden atacarla de inmediato
keeps-guard = sigue defendiendo { TO($other) }: se perdería con cualquier otra jugada
fixes-pawn = fija { TO($other) }, que ningún otro peón puede defender
fixes-pawns = fija los peones que tiene delante: { $other } sería capturado si avanzara
prepares-post = prepara { $place } como casilla para un caballo
triples-heavy = alinea la dama y las dos torres en la columna { FILE($square) }
aims-to-damage = ataca { $other }: tras un cambio allí el peón que recaptura queda débil
puts-on-bishop-colour = pone otro peón en una casilla que { $other } puede atacar
leaves-piece = deja que capturen { $other }
king-hunt = saca { TO($piece) } a campo abierto
pawn-ending = pasa a un final de peones ganado para { $player }
pawn-ending-outside = pasa a un final de peones en el que decide el peón pasado alejado de { $outside }
pawn-ending-drawn = pasa a un final de peones de tablas
simplifies = cambia piezas con ventaja material
blockade = bloquea { $other } con { $piece }
lever = golpea { $other } con { $piece }
lever-at-king = golpea { $other } con { $piece } para abrir líneas hacia el rey
castles = enroca: el rey queda a salvo y la torre entra en juego
develops = desarrolla { $bare } a { $square }
fianchetto = desarrolla { $bare } a { $square }, en la gran diagonal
centre-pawn = gana espacio en el centro con { $piece }
centralises = centraliza { $bare } en { $square }
pins = clava { $other } con { $piece }
pins-before-castling = clava { $other } con { $piece }: el enroque costaría esa pieza
breaks-pin = libera { $piece } de una clavada
keeps-out = impide que las piezas rivales lleguen a { $place }
keeps-out-pin = impide que { $third } llegue a { $place }, donde clavaría { $prey }
keeps-out-attack = impide que { $third } llegue a { $place }, donde atacaría { $prey }
keeps-out-both = impide que { $third } llegue a { $place }, donde clavaría { $prey }, y { $raider }, que atacaría { $raided }
luft = abre una casilla de escape { TO($piece) }
pawn-storm = avanza { $piece } contra { $other }
seventh-rank = pone { $piece } en la séptima fila
doubles-rooks-open = alinea { $piece } y { $other } en la columna abierta { FILE($square) }
doubles-rooks = alinea { $piece } y { $other } en la columna { FILE($square) }
doubles-rooks-against = alinea { $piece } y { $other } contra { $third }
joins-attack = suma { $piece } al ataque contra { $other }
trades-bad-bishop = cambia un alfil malo, encerrado por sus propios peones
bad-bishop = deja { TO($rival) } con un alfil malo: sus propios peones encierran { $piece }
heads-for-key-square = encamina { TO($piece) } hacia las casillas clave { OF($other) }, y nada puede apartarlo de ellas
key-squares-lost = deja que { $piece } aparte al otro rey de las casillas clave { OF($other) }
heads-for-corner = acerca { $piece } al rincón { $place }, que el alfil no defiende
heads-for-pawn-corner = acerca { $piece } al rincón { $place }, donde coronaría el peón de torre: de ahí no lo pueden sacar
king-shut-in = encierra al otro rey delante de su propio peón
king-before-pawn = obliga al otro rey a ponerse delante de su propio peón y gana tiempo para acercar el rey
king-march = hace avanzar el rey hasta { $square }
vancura = ataca { $other } lateralmente, como en la defensa de Vancura
majority = pone en marcha una mayoría de peones con { $piece }
prepares-trade = prepara el cambio { OF($piece) }, encerrado por sus propios peones, desde { $place }
offers-bad-bishop = ofrece el cambio de un alfil malo, encerrado por sus propios peones, por { $other }
buried-bishop = deja { $piece } fuera de juego, encerrado tras los peones
backward-pawn = deja retrasado { $piece }: los peones vecinos ya lo han pasado y no pueden defenderlo
shouldering = cierra el paso al otro rey en su camino hacia { $other }
two-aims = sirve a dos fines a la vez: { $piece } se acerca { TO($other) } y a su propio peón pasado
checks-from-side = da jaque lateral con { $piece }, desde bastante lejos
trades-queens = { $ahead ->
        [pawn] cambia las damas, a favor { OF($player) }, con un peón de más
        [more] cambia las damas, a favor { OF($player) }, con más material
       *[level] cambia las damas, a favor { OF($player) }
    }
trades-rooks = { $ahead ->
        [pawn] cambia las últimas torres, a favor { OF($player) }, con un peón de más
        [more] cambia las últimas torres, a favor { OF($player) }, con más material
       *[level] cambia las últimas torres, a favor { OF($player) }
    }
takes-castling = quita el derecho a enrocar { TO($rival) }
blocks-c-pawn = bloquea { $other }, que podría atacar el centro, con { $piece }
blocks-pawn = bloquea { $other } con { $piece } y encierra así un alfil
early-queen = saca { $bare } a { $square } antes que las demás piezas
moves-again = mueve otra vez { $bare }, a { $square }, mientras otras siguen en su casilla inicial
hits-queen = desarrolla { $bare } a { $square } y ataca { $other }
minority-attack = comienza un ataque de minorías con { $piece }, contra { $other }
drives-guard = ataca { $other }, defensa { OF($third) }
presses-guard = presiona { $other }, única defensa { OF($third) }
prepares-push = prepara el avance de un peón a { $place }
centre-with-tempo = ocupa el centro con { $piece } y ataca { $other }
gives-up-centre = abandona el centro: ningún peón defiende ya { $other }
opens-file-to-king = abre la columna { FILE($square) } { TO($piece) }, hacia { $other }
dominates = deja { $piece } sin ninguna casilla segura
restrains = dificulta el avance de un peón a { $place }
restrains-attack = dificulta el avance de un peón a { $place }, donde atacaría { $prey }
makes-way = deja paso { TO($piece) }
makes-way-attack = deja paso { TO($piece) }, que ataca allí { $prey }
stops-pawn = detiene { $other } con { $piece }
trades-guard = elimina el alfil que protegía al rey
offers-trade = ofrece el cambio { OF($piece) } por { $other }
offers-trade-uncovered = abre el paso { OF($piece) } hacia { $other }, para el cambio
offers-trade-on-file = disputa la columna abierta { FILE($square) }: { $piece } puede cambiarse por { $other }
hunts-bishop = persigue { TO($other) }, para quedarse con la pareja de alfiles
clears-pawn = despeja el camino { OF($piece) } hacia { $place }
prepares-fianchetto = prepara el desarrollo de un alfil en { $place }
lets-out-bishop = abre la diagonal { OF($other) }
leaves-line = aparta el rey de la línea { OF($other) }
takes-square = quita la casilla { $place } a las piezas contrarias
keeps-from = controla { $place }: lo que vaya allí se pierde
keeps-piece-from = controla { $place }: { $third } se perdería allí
keeps-pawn-from = impide que { $third } avance a { $place }, donde atacaría { $prey }
rook-lift = eleva { $bare } a { $square }, para llevarla hacia el rey
releases-tension = deshace la tensión: ningún peón ataca ya { $other }
reroutes = lleva { $bare } a { $square }
holds-up = frena el peón que iría a { $place }: se podría capturar al paso
offers-for-good-bishop = ofrece el cambio { OF($piece) } por el alfil bueno del rival
frees-square = elimina un defensor de { $square }, casilla que puede ocupar { $other }
prepares-kick = prepara otro avance, que expulsaría { TO($other) }
avoids-doubling = protege { $other }: capturarlo ya no doblaría los peones
safe-corner = se dirige a { $place }, el rincón al que el alfil no llega y donde el rey está seguro
knight-strays = aleja el caballo de su rey
prepares-advance = prepara el avance del peón a { $place }
gains-outpost = gana { $place } para un caballo, fuera del alcance de los peones enemigos
adds-pressure = aumenta la presión sobre { $other }
supports = apoya { $other }
shuts-in-bishop = bloquea { $other } y encierra así el alfil de detrás
stays-behind-passer = mantiene { $bare } detrás del peón pasado de { $place }
decoys = deja { $other } como señuelo para el rey contrario y va a por los peones del otro flanco
awaits-opposition = puede tomar la oposición dondequiera que avance el rey contrario
offers-piece = ofrece { $other }
clears-file = abre la columna { OF($other) }
heads-for-square = lleva { $piece } hacia { $place }, donde lo defiende un peón
regroups = recoloca { $piece }, camino de { $place }
last-pawn = captura el último peón: lo que queda no puede forzar el mate
holds-two = frena dos peones con uno: { $piece } detiene también { TO($other) }
diagonal-to-king = abre la diagonal { OF($other) } hacia el rey
half-opens-file = cambia peones y deja semiabierta la columna { FILE($place) } contra { $other }
offers-for-pair = ofrece el cambio por uno de los dos alfiles del rival
offers-for-king-guard = ofrece el cambio por { $other }, que defiende al rey
offers-against-isolated = ofrece el cambio de piezas, para jugar contra el peón aislado de { $place }
offers-for-guard = ofrece el cambio { OF($piece) } por un defensor de { $place }
offers-for-attacker = ofrece el cambio { OF($piece) } por { $other }, que ataca { TO($third) }
keeps-file = mantiene { $bare } en la columna { FILE($square) } abierta
ties-bishop = ataca { $other } y ata a su casilla al alfil que lo defiende
frees-bishop = abre la diagonal { OF($other) }, en la que solo queda una pieza propia
behind-storm = se coloca detrás { OF($other) }, que ya puede avanzar contra el rey
blocks-storm = detiene { $other } antes de que abra líneas contra el rey
closes-to-bishops = cierra la posición, con lo que la pareja de alfiles rival tiene menos campo
opposes-bishop = se opone { TO($other) } en su diagonal
gives-king-bishop = entrega el alfil que está detrás { OF($other) } y, con él, las casillas de su color en torno al rey
guards-break = defiende { $place }, donde un peón rival podría abrir líneas contra el rey
central-counter = responde al avance en el flanco con un golpe en el centro, donde sigue el rey rival
ties-down = ata { TO($piece) } a la defensa { OF($other) }
entry-square = defiende { $place }, para que { $piece } pueda entrar ahí
lets-king-in = deja entrar al rey rival en { $square }
two-for-rook = da { TO($player) } dos piezas menores por una torre
holds-back = vigila { $place }, para frenar el peón de detrás, que ningún otro puede defender
way-back = da { TO($piece) } una retirada a { $place }
king-helps = acerca { $piece } al rey rival, para ayudar a dar mate
attack-on-pinned = clava { $other }, que se puede atacar otra vez desde { $square }
undermines = ataca { $other }, que defiende { $third }
prepares-lever = prepara otro avance, que atacaría { $other }
hidden-attack = coloca { $piece } detrás de una pieza propia que puede descubrir un ataque { TO($other) }
shuts-off = corta la retirada { OF($other) }
clears-castling = deja sitio para el enroque
hits-guard = ataca un defensor de { $place }, una casilla para un caballo
bishop-out = saca { $piece } por delante de sus propios peones
avoids-pawn-ending = evita el cambio de las últimas piezas
drives-back = obliga { TO($other) } a ir a { $refuge }, la única casilla segura
kicks = obliga { TO($other) } a decidirse
gains-time = gana tiempo atacando { $other }
shields = tapa el ataque { TO($other) }
closes-lines = mantiene cerradas las líneas hacia { $other }
bars-pawn = detiene el avance { OF($other) }
bars-king = impide que el rey rival pase por { $place }
clears-square = despeja { $square } para { $bare }
opens-way = despeja { $place } a costa de un peón: { $bare } llega a { $square }
takes-guard = toma { $taken }, que defendía { TO($gone) }
goes-back = pierde tiempo: { $bare } vuelve a { $square }
gathers-on-file = reúne { $piece } y { $other } en la columna { FILE($square) } contra el rey
blocks-own-guard = se interpone en el camino de una pieza que defendía { TO($gone) }
eases-cramp = cambia una pieza, lo que favorece al bando con menos espacio
trades-against-isolated = cambia piezas para jugar contra el peón aislado de { $place }
leaves-too-little = deja { $rival } sin material suficiente para forzar el mate
leaves-bad-bishop = deja { TO($rival) } con un alfil malo contra un caballo: la mayoría de sus peones están en casillas de su color
stalemate-guards = solo deja elegir entre el ahogado y la pérdida { OF($other) }
escapes-fork = saca { $bare } del doble ataque { OF($other) } con jaque
unblocks-pawn = deja de frenar al peón que llega a { $square }, donde ataca { TO($other) }
trades-for-entry = cambia { $gone }, que defendía { $square }, y { $bare } llega allí
offers-pawn-ending = ofrece el cambio de las últimas piezas, porque el final de peones está ganado
drives-king-on = empuja al rey rival a { $square }, donde ataca { TO($other) }
long-side = va al lado largo { OF($other) }, donde la torre necesita espacio para sus jaques
holds-passer = defiende { TO($other) }, que se podía tomar
holds = defiende { TO($other) }, que se podía tomar
leaves-square = deja de controlar { $square }, adonde { $bare } ya puede ir
gives-up-guard = quita un defensor { TO($other) }, que { $piece } ataca
targets-weak-pawn = se dirige contra { $other }, que ningún otro peón puede defender
offers-for-outpost = ofrece cambiar { $piece } por { $other }, que ocupa un punto fuerte
aims-at-passer = ofrece cambiar { $piece }: un peón que recapture quedará pasado
offers-for-blockader = ofrece cambiar { $piece } por { $other }, que cierra el paso a un peón
pins-pawn = clava { $other } contra el rey
prepares-fork = prepara un avance que atacaría a la vez { $other } y { $third }
connects-rooks = comunica las torres
central-king = mantiene el rey en el centro, donde es útil sin damas
boxes-king = deja al rey rival menos casillas a su alcance
provokes = obliga al peón a avanzar a { $square }: ninguno defiende ya { $place }
heads-for-pawn = acerca { $piece } a { $other }, que ningún otro peón puede defender
takes-king-guard = cambia el alfil que protege al rey
opens-against-king = golpea con { $piece } para abrir la columna { FILE($square) } contra el rey
closes-file = cierra la columna { FILE($square) }, detrás de la cual pueden reunirse las torres
short-side = va al lado corto { OF($other) } y deja el largo a los jaques de la torre
goes-for-hook = avanza hacia { $other }, para abrir líneas contra el rey
storms-closed-centre = gana terreno contra el rey, con el centro cerrado
cuts-off-guard = corta el paso a un defensor { OF($other) }

## Hechos

fact-answers-check = { $move } responde a un jaque.
fact-gives-check = { $move } da jaque.
fact-captures = { $move } captura { $piece }.
fact-recaptures = { $move } recaptura { $piece }.
fact-ends = { $ending ->
        [checkmate] La partida termina: jaque mate.
        [stalemate] La partida termina: ahogado, tablas.
        [insufficient-material] Son tablas: nadie tiene piezas suficientes para dar mate.
        [fifty-moves] Se pueden reclamar tablas por la regla de las cincuenta jugadas.
       *[repetition] Se pueden reclamar tablas por repetición.
    }
fact-place = { $place ->
        [centre] { $piece } está en el centro.
       *[edge] { $piece } está en el borde.
    }
fact-sees = { $piece } ataca { $after ->
        [one] { $after } casilla
       *[other] { $after } casillas
    } (antes, { $before }).
fact-mobility = { $player } tienen { $after ->
        [one] { $after } jugada legal
       *[other] { $after } jugadas legales
    } (antes, { $before }).
fact-file = { $state ->
        [open] La columna { FILE($square) }, donde está ahora la pieza, está abierta.
       *[half-open] La columna { FILE($square) }, donde está ahora la pieza, está semiabierta para { $player }.
    }

## La opinión de la red

net-gains = La red valora más { $piece } que antes: { $pawns } peones, con un error de { $error }.
net-loses = La red valora menos { $piece } que antes: { $pawns } peones, con un error de { $error }.

## La página de una partida comentada

story-opening = Apertura: { $name } ({ $eco }).
story-turning = El momento decisivo fue { $move }.
story-habit = { $habit ->
        [mate] { $player } permitieron mate { $count } veces.
        [lost] { $player } perdieron material { $count } veces.
       *[missed] { $player } dejaron escapar mate o una ganancia de material { $count } veces.
    }
story-retry = Para intentarlo otra vez: { $moves }.
page-title = Partidas comentadas
page-accuracy = Precisión
page-white = Blancas
page-black = Negras
page-opening = apertura
page-middlegame = medio juego
page-endgame = final
page-inaccuracies = Imprecisiones
page-mistakes = Errores
page-blunders = Errores graves
page-graph = El resultado que las blancas pueden esperar
page-moves = Jugadas
page-better = Mejor
