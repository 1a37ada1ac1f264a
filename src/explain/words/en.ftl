### English. A predicate is what follows a move: "Nc7+" + "forks ...".
### OF, TO and GENDER give a noun's other forms; in English two of them only lead the noun by a word.

## Nouns

piece-at = { $kind ->
        [pawn] the pawn
        [knight] the knight
        [bishop] the bishop
        [rook] the rook
        [queen] the queen
       *[king] the king
    } on { $square }
    .of = of { piece-at }
    .for = for { piece-at }
    .to = to { piece-at }
    .gender = n
the-piece = { $kind ->
        [pawn] the pawn
        [knight] the knight
        [bishop] the bishop
        [rook] the rook
        [queen] the queen
       *[king] the king
    }
    .of = of { the-piece }
    .for = for { the-piece }
    .to = to { the-piece }
    .gender = n
the-square = the square { $square }
    .of = of { the-square }
    .for = for { the-square }
    .to = to { the-square }
    .gender = n
player = { $color ->
        [white] White
       *[black] Black
    }
    .of = of { player }
    .for = for { player }
    .to = to { player }
    .gender = n
counted = { $kind ->
        [pawn] { $count ->
            [1] a pawn
            [2] two pawns
            [3] three pawns
           *[other] { $count } pawns
        }
        [knight] { $count ->
            [1] a knight
            [2] two knights
           *[other] { $count } knights
        }
        [bishop] { $count ->
            [1] a bishop
            [2] two bishops
           *[other] { $count } bishops
        }
        [rook] { $count ->
            [1] a rook
            [2] two rooks
           *[other] { $count } rooks
        }
       *[queen] { $count ->
            [1] a queen
            [2] two queens
           *[other] { $count } queens
        }
    }
new-piece = { $kind ->
        [knight] a new knight
        [bishop] a new bishop
        [rook] a new rook
       *[queen] a new queen
    }
list = { $first }, { $second }
list-end = { $first } and { $second }

## How good the move is

grade = { $grade ->
        [best] { $move } is the best move.
        [good] { $move } is a good move.
        [playable] { $move } is playable, but not the best move.
        [inaccuracy] { $move } is inaccurate.
        [mistake] { $move } is a mistake.
       *[blunder] { $move } is a blunder.
    }
changes-little = { $move } changes little.
hastens = { $move } hastens the end.
howler = { $move } gives a piece away in a game that was lost already.
theory-though = { $move } is a move of opening theory, though { $better } is better.
theory = { $move } is a move of opening theory.
opening = { $name } ({ $eco }).
only-legal = { $move } is forced: there is no other legal move.
only-good = { $move } is the only move: anything else would be a mistake.
stands = { $state ->
        [winning] { $player } has a winning position.
        [better] { $player } is clearly better.
        [slightly-better] { $player } is slightly better.
        [equal] The position is level.
        [slightly-worse] { $player } is slightly worse.
        [worse] { $player } is clearly worse.
       *[lost] { $player } has a lost position.
    }
either-way = { $state ->
        [winning] { $player } has a winning position either way.
        [better] { $player } is clearly better either way.
        [slightly-better] { $player } is slightly better either way.
        [equal] The position is level either way.
        [slightly-worse] { $player } is slightly worse either way.
        [worse] { $player } is clearly worse either way.
       *[lost] { $player } has a lost position either way.
    }
turns = { $before ->
        [winning] { $player } had a winning position
        [better] { $player } was clearly better
        [slightly-better] { $player } was slightly better
        [equal] The position was level
        [slightly-worse] { $player } was slightly worse
       *[worse] { $player } was clearly worse
    } and { $after ->
        [better] now is just clearly better.
        [slightly-better] now is only slightly better.
        [equal] now the position is level.
        [slightly-worse] now { $before ->
            [equal] { $player } is
           *[other] is
        } slightly worse.
        [worse] now { $before ->
            [equal] { $player } is
           *[other] is
        } clearly worse.
       *[lost] now { $before ->
            [equal] { $player } is
           *[other] is
        } lost.
    }
expects = { $player } could expect { $before } % of the point with the best move, and { $after } % after this one.
mates = { $proof ->
        [proved] It mates by force in { $moves } { $moves ->
            [one] move
           *[other] moves
        }.
       *[seen] The engine sees a mate in { $moves }.
    }
mate-delayed = { $proof ->
        [proved] It still mates, but in { $moves } moves instead of { $best }.
       *[seen] The engine still sees a mate, but in { $moves } moves instead of { $best }.
    }
mate-missed = { $proof ->
        [proved] It misses a mate in { $moves }.
       *[seen] It misses a mate in { $moves } that the engine sees.
    }
mate-allowed = { $proof ->
        [proved] It lets { $opponent } mate in { $moves }.
       *[seen] Now the engine sees a mate for { $opponent } in { $moves }.
    }
mate-suffered = { $proof ->
        [proved] { $opponent } mates in { $moves } by force.
       *[seen] The engine sees { $opponent } mating in { $moves }.
    }
mate-hastened = { $proof ->
        [proved] { $opponent } mates in { $moves } now; the best defence would have held out for { $best } moves.
       *[seen] The engine sees { $opponent } mating in { $moves }; the best defence would have held out for { $best } moves.
    }

## Sentences around a predicate

says-it = It { $predicate }.
is-answered = { $move } is answered by { $line }.
is-expected = The expected line is { $line }.
but-it = but it { $predicate }.
says-move = { $move } { $predicate }.
says-answer = Now { $move } { $predicate }.
says-later = After { $line }, { $move } { $predicate }.
says-line = The line { $line } { $predicate }.
by-itself = { $predicate }.
second-move = Instead, { $move } { $predicate }.
second-answer = Instead, { $line } runs into { $move }, which { $predicate }.
better-move = Better was { $move }.
better-keeps = Better was { $move }, where nothing is lost.
better-why = Better was { $move }, which { $predicate }.
better-later = Better was { $line }, when { $move } { $predicate }.
meets-mate = meets the threat of { $move }
makes-mate = threatens { $move }
meets-threat = meets the threat of { $move }, which { $predicate }
forestalls = forestalls { $move }, which { $predicate }
prepares = prepares { $move }, which { $predicate }
makes-threat = threatens { $move }, which { $predicate }
forces-mate = forces mate in { $moves }
with-proof = { $sentence } The line: { $line }.
with-threat = { $sentence } The threat: { $line }.
in-the-line = { $predicate } in the expected line
with-way-out = { $sentence } With { $move } less material is lost, { $worth ->
        [worse] but the position is worse
       *[alike] and the position is about as good
    }.

## Predicates: material

wins = wins { $won }
wins-for = wins { $won } for { $lost }
wins-exchange = wins the exchange
gets = gets { $won }
gets-for = gets { $won } for { $lost }
allows = allows { $won }
allows-for = allows { $won } for { $lost }
loses = loses { $lost }
loses-for = loses { $lost } for { $won }
loses-exchange = loses the exchange
takes-level = takes { $piece }, and material is level
levels = { $said } and levels the material
is-level = { $said }, and material is level
takes-free = takes { $piece }, and nothing can take back
opens-line-to = opens the line of { $attacker } to { $piece }, which can be taken
opens-line = opens the way for { $slider } to { $square }
opens-line-at = opens the line of { $slider } to { $piece }
leaves-guard = no longer guards { $square }
leaves-guard-of = no longer guards { $piece }
leaves-unguarded = takes its guard away from { $piece }, which can be taken
leaves-en-prise = leaves { $piece } hanging
sacrifice = sacrifices { $piece }
sacrifice-exchange = sacrifices the exchange
for-too-little = { $predicate }, and does not get enough for it

## Predicates: attacks

trapped = traps { $piece }: nothing saves it
fork = forks { $targets }
double-attack = makes two threats at once: { $first } attacks { $first-target }, and { $second } attacks { $second-target }
double-check = gives double check, with { $first } and { $second }
discovered-check = uncovers a check from { $slider }
discovered-attack = uncovers the attack { OF($slider) } on { $target }
pin-prevents-escape = leaves { $pinned } under attack and unable to run: { $pinner } pins it against { $behind }
pin-prevents-attack = relies on a pin: { $pinned } cannot take { $prey }, for { $pinner } pins it against { $behind }
skewer = skewers { $front } and, behind it, { $behind }
x-ray = relies on the X-ray { OF($slider) } through { $through }
offers-itself = offers { $piece }; { $by ->
        [none] taking it
       *[other] taking it with { $by }
    } fails: { $line }
cannot-take-back = takes { $taken }, and { $by ->
        [none] taking back
       *[other] taking back with { $by }
    } fails: { $line }
cannot-take = leaves { $piece } to be taken, but that fails: { $line }
offers-itself-in-vain = offers { $piece }; { $by ->
        [none] taking it
       *[other] taking it with { $by }
    } helps no more than declining: { $line }
offers-itself-dearly = offers { $piece }; { $by ->
        [none] taking it
       *[other] taking it with { $by }
    } would be a mistake: { $line }
taking-costs = leaves { $piece } to be taken, but that would be a mistake: { $line }
taking-is-worse = taking { $piece } would be worse: { $line }
now-fails = works against { $move }, which would fail now: { $line }
threatens-mate = threatens mate on { $square } with { $piece }
threatens-capture = threatens { $target }

## Predicates: defenders

overloaded = exploits an overloaded defender: { $defender } cannot guard both { $first } and { $second }
removed-defender = removes { $defender }, which guarded { $target }
deflection = lures away { $defender }, which guarded { $target }
attraction = draws { $piece } to { $square }
interference = cuts the line between { $slider } and { $target }
check-first = gives check in between, before it takes on { $square }
intermezzo = is an in-between move, before the recapture on { $square }

## Predicates: kings

mate = is checkmate
back-rank-mate = mates on the back rank: { $king } is shut in by its own pieces
named-mate = { $name ->
        [smothered] gives smothered mate
        [anastasia] gives Anastasia's mate
        [arabian] gives the Arabian mate
        [boden] gives Boden's mate with two bishops
        [epaulette] gives the epaulette mate
       *[opera] gives the opera mate, a rook guarded by a bishop
    }
zugzwang = { $proof ->
        [proved] puts { $player } in zugzwang: every move gives something up
       *[seen] puts { $player } in zugzwang, as the engine sees it: any move is worse than none
    }
stalemate-trick = offers { $piece }: taking it is stalemate
perpetual = gives perpetual check
loses-castling = { $wing ->
        [king] gives up castling short
        [queen] gives up castling long
       *[both] gives up castling
    }

## Predicates: pawns

promotion = promotes to { $piece } on { $square }
underpromotion = { $reason ->
        [mates] promotes to { $piece }, for this mates and a queen would not
        [checks] promotes to { $piece }, for this gives check and a queen would not
        [avoids-trick] promotes to { $piece }, for a queen would allow a trick that ends in stalemate
       *[avoids-stalemate] promotes to { $piece }, for a queen would be stalemate
    }
unstoppable-pawn = sends { $pawn } on its way, and nothing can stop it from queening

## Predicates: threats overlooked

ignores-mate = does not stop the mate on { $square } with { $piece }
ignores-capture = does nothing about the attack on { $target }

## Predicates: what is different afterwards

mobility-more = gives { $piece } more room: { $after } squares that no enemy pawn attacks, instead of { $before }
mobility-less = takes room from { $piece }: { $after ->
        [0] no square
        [one] { $after } square
       *[other] { $after } squares
    } that no enemy pawn attacks, instead of { $before }
shelter-more = improves the shelter { OF($king) }: { $after ->
        [one] { $after } pawn
       *[other] { $after } pawns
    } in front instead of { $before }
shelter-less = weakens the shelter { OF($king) }: { $after ->
        [0] no pawn
        [one] { $after } pawn
       *[other] { $after } pawns
    } in front instead of { $before }
takes-file = { $state ->
        [open] gives { $piece } an open file
       *[half-open] gives { $piece } a half-open file
    }
outpost = gives { $piece } an outpost, guarded by a pawn and out of reach of enemy pawns
weak-square = weakens { $square }: no { $color ->
        [white] white
       *[black] black
    } pawn is left that could guard it
passed-pawn = gives { $player } a passed pawn on { $square }
isolated-pawn = leaves { $pawn } isolated
doubled-pawns = gives { $player } doubled pawns on the { FILE($square) }-file
loses-bishop-pair = { $rival ->
        [has] gives up the bishop pair, which { $other } still has
       *[none] gives up the bishop pair
    }
takes-bishop-pair = { $rival ->
        [has] takes the bishop pair from { $player } and keeps its own
       *[none] takes the bishop pair from { $player }
    }
space-more = gives { $player } more space on the central files: { $after } squares instead of { $before }
space-less = costs { $player } space on the central files: { $after } squares instead of { $before }

## Predicates: themes

opposition = takes the opposition: the kings face each other, and { $rival } has to move
key-square = brings { $piece } to a key square of { $other }
square-of-pawn = brings { $piece } into the square of { $other }, in time to catch it
rook-pawn-corner = brings { $piece } to the corner before the rook's pawn
wrong-bishop = leaves { $rival } with the wrong bishop, which does not guard the corner { $square }
shut-in-rook = leaves { $other } shut in before its own pawn: no check lets it out while { $piece } keeps so far away
philidor = sets up Philidor's defence: { $piece } holds its third rank
checks-from-behind = puts { $bare } far away, on { $square }, to give checks from behind
lucena = builds a bridge, as in Lucena's position: { $piece } will shield its king from checks
rook-behind-passer = puts { $piece } behind the passed pawn on { $place }
cut-off = cuts off { $other } with { $piece }
active-king = { $target ->
        [attacked] attacks { $other } with the king
        [pawn] brings { $piece } closer to { $other }
       *[centre] makes { $piece } active
    }
outside-passer = relies on the outside passed pawn on { $square }: the king that stops it is far from the other pawns
passer-advances = advances the passed pawn to { $square }
passer-advances-by-rook = advances the passed pawn to { $square }, with a rook behind it
connected-passers = gives { $player } connected passed pawns on { $square } and { $place }
protected-passer = gives { $player } a protected passed pawn on { $square }
protected-passer-moves = brings the passed pawn to { $square }, where another pawn guards it
breakthrough = breaks through: a pawn is given up on { $place } so that another promotes on { $square }
triangulation = loses a move: the position comes again, and { $rival } has to move
pawns-on-bishop-colour = leaves all pawns of { $rival } on the colour of its bishop, which cannot fight for the squares in front of them
windmill = turns a windmill of discovered checks, with { $piece } behind it
avoids-pin = avoids a pin by a bishop on { $place }
makes-bishop-move = makes { $bare } move again to take back
gives-good-bishop = gives up the good bishop and keeps { $other }, which stands behind its own pawns
mends-pawn = gives { $other } a neighbour: it is no longer isolated
gives-up-wedge = gives up the wedge on { $place }: { $piece } now guards that square
takes-post = takes { $taken }, which no pawn could have driven away
takes-own-flight = takes { $square } away from its own king
takes-attacker = takes { $taken }, which attacked { $third }
avoids-trade = avoids the trade of { $piece } for { $other }
evades-knight = takes { $piece } out of reach of { $other }
trade-opens-file = invites a trade on { $square }: a pawn would take back and open the file for { $other }
prepares-battery = prepares a battery of queen and bishop against { $other }
gives-up-file = takes over the open { FILE($square) }-file
out-before-pawn = brings { $bare } out to { $square } before { $place } shuts it in
guarded-post = brings { $bare } to { $square }, where { $other } guards it and no pawn can drive it away at once
clamps = guards { $place } with a second pawn, against the advance of an enemy pawn there
queen-in-centre = brings the queen to the centre, on { $square }, where no pawn or minor piece can attack it at once
keeps-guard = keeps { $other } guarded: every other move would lose it
fixes-pawn = fixes { $other }, which no other pawn can guard
fixes-pawns = fixes the pawns before it: { $other } would be taken if it advanced
prepares-post = supports { $place } as a post for a knight
triples-heavy = lines up the queen and both rooks on the { FILE($square) }-file
aims-to-damage = attacks { $other }: after a trade there the pawn that takes back is weak
puts-on-bishop-colour = puts another pawn on a square that { $other } can attack
leaves-piece = leaves { $other } to be taken
king-hunt = drives { $piece } out into the open
pawn-ending = trades into a pawn ending that is won for { $player }
pawn-ending-outside = trades into a pawn ending in which the outside passed pawn on { $outside } decides
pawn-ending-drawn = trades into a drawn pawn ending
simplifies = trades pieces while ahead
blockade = blockades { $other } with { $piece }
lever = strikes at { $other } with { $piece }
lever-at-king = strikes at { $other } with { $piece }, to open lines to the king
castles = castles: the king goes to safety, and the rook comes into play
develops = develops { $bare } to { $square }
fianchetto = develops { $bare } to { $square }, on the long diagonal
centre-pawn = takes space in the centre with { $piece }
centralises = centralises { $bare } on { $square }
pins = pins { $other } with { $piece }
pins-before-castling = pins { $other } with { $piece }: castling would lose it
breaks-pin = frees { $piece } from a pin
keeps-out = keeps enemy pieces from { $place }
keeps-out-pin = keeps { $third } from { $place }, where it would pin { $prey }
keeps-out-attack = keeps { $third } from { $place }, where it would attack { $prey }
keeps-out-both = keeps { $third } from { $place }, where it would pin { $prey }, and { $raider }, which would attack { $raided }
luft = makes an escape square for { $piece }
pawn-storm = advances { $piece } against { $other }
seventh-rank = puts { $piece } on the seventh rank
doubles-rooks-open = lines up { $piece } and { $other } on the open { FILE($square) }-file
doubles-rooks = lines up { $piece } and { $other } on the { FILE($square) }-file
doubles-rooks-against = lines up { $piece } and { $other } against { $third }
joins-attack = brings { $piece } into the attack on { $other }
trades-bad-bishop = trades off a bad bishop, hemmed in by its own pawns
bad-bishop = leaves { $rival } with a bad bishop: its own pawns hem in { $piece }
heads-for-key-square = sets { $piece } on its way to the key squares { OF($other) }, and nothing can keep it away
key-squares-lost = lets { $piece } keep the other king from the key squares { OF($other) }
heads-for-corner = brings { $piece } near the corner { $place }, which the bishop does not guard
heads-for-pawn-corner = brings { $piece } near the corner { $place }, where the rook's pawn would promote: from there it cannot be driven out
king-shut-in = shuts the other king in before its own pawn
king-before-pawn = forces the other king in front of its own pawn, which gains time to bring the king closer
king-march = sends the king up the board, to { $square }
vancura = attacks { $other } from the side, as in Vancura's defence
majority = sets a majority of pawns in motion with { $piece }
prepares-trade = prepares to trade { $piece }, hemmed in by its own pawns, from { $place }
offers-bad-bishop = offers to trade a bad bishop, hemmed in by its own pawns, for { $other }
buried-bishop = shuts { $piece } out of play behind pawns
backward-pawn = leaves { $piece } backward: its neighbours are ahead of it and cannot guard it
shouldering = shoulders the other king aside on its way to { $other }
two-aims = serves two aims at once: { $piece } comes nearer to { $other } and to its own passed pawn
checks-from-side = checks with { $piece } from the side, from far enough away
trades-queens = { $ahead ->
        [pawn] trades queens, in { $player }'s favour: { $player } is a pawn up
        [more] trades queens, in { $player }'s favour: { $player } has more material
       *[level] trades queens, in { $player }'s favour
    }
trades-rooks = { $ahead ->
        [pawn] trades the last rooks, in { $player }'s favour: { $player } is a pawn up
        [more] trades the last rooks, in { $player }'s favour: { $player } has more material
       *[level] trades the last rooks, in { $player }'s favour
    }
takes-castling = takes the right to castle from { $rival }
blocks-c-pawn = blocks { $other }, which could strike at the centre, with { $piece }
blocks-pawn = blocks { $other }, behind which a bishop is shut in, with { $piece }
early-queen = brings { $bare } out to { $square } before the other pieces
moves-again = moves { $bare } again, to { $square }, while others are still at home
hits-queen = develops { $bare } to { $square } with an attack on { $other }
minority-attack = begins a minority attack with { $piece }, against { $other }
drives-guard = attacks { $other }, a guard of { $third }
presses-guard = puts pressure on { $other }, the only guard of { $third }
prepares-push = prepares the advance of a pawn to { $place }
centre-with-tempo = takes the centre with { $piece } and attacks { $other }
gives-up-centre = lets go of the centre: no pawn guards { $other } any more
opens-file-to-king = opens the { FILE($square) }-file for { $piece }, towards { $other }
dominates = leaves { $piece } without a safe square
restrains = hinders the advance of a pawn to { $place }
restrains-attack = hinders the advance of a pawn to { $place }, where it would attack { $prey }
makes-way = makes way for { $piece }
makes-way-attack = makes way for { $piece }, which attacks { $prey } there
stops-pawn = stops { $other } with { $piece }
trades-guard = takes the bishop that guarded the king
offers-trade = offers to trade { $piece } for { $other }
offers-trade-uncovered = uncovers { $piece } against { $other }, for a trade
offers-trade-on-file = contests the open { FILE($square) }-file: { $piece } may be traded for { $other }
hunts-bishop = goes after { $other }, to take the bishop pair
clears-pawn = clears the way of { $piece } to { $place }
prepares-fianchetto = prepares the development of a bishop to { $place }
lets-out-bishop = opens the diagonal of { $other }
leaves-line = takes the king off the line of { $other }
takes-square = takes the square { $place } from the other side's pieces
keeps-from = controls { $place }: what goes there would be lost
keeps-piece-from = controls { $place }: { $third } would be lost there
keeps-pawn-from = keeps { $third } from { $place }, where it would attack { $prey }
rook-lift = lifts { $bare } to { $square }, to swing it over to the king
releases-tension = releases the tension: no pawn attacks { $other } any more
reroutes = brings { $bare } round to { $square }
holds-up = holds up the pawn that would go to { $place }: it could be taken in passing
offers-for-good-bishop = offers to trade { $piece } for the other side's good bishop
frees-square = trades off a guard of { $square }, which { $other } can use
prepares-kick = prepares to go on and drive { $other } away
avoids-doubling = guards { $other }, so that taking it would not double pawns
safe-corner = makes for { $place }, the corner that the bishop cannot reach and where the king is safe
knight-strays = takes the knight away from its king
prepares-advance = prepares the advance of the pawn to { $place }
gains-outpost = gains { $place } for a knight, out of reach of enemy pawns
adds-pressure = adds to the pressure on { $other }
supports = supports { $other }
shuts-in-bishop = blocks { $other } and so shuts in the bishop behind it
stays-behind-passer = keeps { $bare } behind the passed pawn on { $place }
decoys = leaves { $other } to lure the other king away, and goes for the pawns on the other wing
awaits-opposition = can take the opposition wherever the other king advances
offers-piece = offers { $other }
clears-file = opens the file of { $other }
heads-for-square = brings { $piece } towards { $place }, where a pawn guards it
regroups = brings { $piece } round, to go on to { $place }
last-pawn = takes the last pawn: what is left cannot force mate
holds-two = holds two pawns with one: { $piece } stops { $other } as well
diagonal-to-king = opens the diagonal of { $other } towards the king
half-opens-file = trades pawns and half-opens the { FILE($place) }-file against { $other }
offers-for-pair = offers to trade one of the other side's two bishops
offers-for-king-guard = offers to trade { $other }, which guards the king
offers-against-isolated = offers to trade pieces, to play against the isolated pawn on { $place }
offers-for-guard = offers to trade { $piece } for a guard of { $place }
offers-for-attacker = offers to trade { $piece } for { $other }, which attacks { $third }
keeps-file = keeps { $bare } on the open { FILE($square) }-file
ties-bishop = attacks { $other } and ties the bishop that guards it to its place
frees-bishop = opens the diagonal of { $other }, on which only a piece of its own is left
behind-storm = stands behind { $other }, which can now advance against the king
blocks-storm = stops { $other } before it can open lines against the king
closes-to-bishops = closes the position, which leaves the other side's two bishops less room
opposes-bishop = opposes { $other } on its diagonal
gives-king-bishop = gives up the bishop behind { $other }, and with it the squares of its colour around the king
guards-break = guards { $place }, where a pawn of the other side could open lines against the king
central-counter = answers the advance on the wing by a blow in the centre, where the other king still stands
ties-down = ties { $piece } to { $other }
entry-square = guards { $place }, so that { $piece } can go in there
lets-king-in = lets the other king in on { $square }
two-for-rook = gives { $player } two minor pieces for a rook
holds-back = watches { $place }, to hold back the pawn behind it, which no other pawn can guard
way-back = gives { $piece } a way back to { $place }
king-helps = brings { $piece } closer to the other king, to help to mate
attack-on-pinned = pins { $other }, which can be attacked once more from { $square }
undermines = strikes at { $other }, the guard of { $third }
prepares-lever = prepares to go on and strike at { $other }
hidden-attack = puts { $piece } behind an own man that can uncover an attack on { $other }
shuts-off = cuts off the retreat of { $other }
clears-castling = makes room for castling
hits-guard = attacks a guard of { $place }, a square for a knight
bishop-out = brings { $piece } out in front of its own pawns
avoids-pawn-ending = avoids the trade of the last pieces
drives-back = drives { $other } to { $refuge }, the only square where it is safe
kicks = asks { $other } where it will go
gains-time = gains time by attacking { $other }
shields = shields { $other }
closes-lines = keeps the lines to { $other } closed
bars-pawn = stops the advance of { $other }
bars-king = keeps the other king from { $place }
clears-square = clears { $square } for { $bare }
opens-way = clears { $place } at the price of a pawn: { $bare } gets to { $square }
takes-guard = takes { $taken }, which guarded { $gone }
goes-back = loses time: { $bare } goes back to { $square }
gathers-on-file = brings { $piece } and { $other } together on the { FILE($square) }-file against the king
blocks-own-guard = gets in the way of a piece that guarded { $gone }
eases-cramp = trades a piece, which helps the side with less room
trades-against-isolated = trades pieces, to play against the isolated pawn on { $place }
leaves-too-little = leaves { $rival } with too little to force mate
leaves-bad-bishop = leaves { $rival } with a bad bishop against a knight: most of its pawns stand on squares of its colour
stalemate-guards = leaves only stalemate or the loss { OF($other) }
escapes-fork = gets { $bare } out of the double attack of { $other } with check
unblocks-pawn = no longer holds up the pawn that comes to { $square }, where it attacks { $other }
trades-for-entry = trades off { $gone }, which guarded { $square }, and { $bare } gets there
offers-pawn-ending = offers to trade the last pieces, as the pawn ending is won
drives-king-on = drives the other king to { $square }, where it attacks { $other }
long-side = goes to the long side of { $other }, where the rook needs room for its checks
holds-passer = guards { $other }, which was there to be taken
holds = guards { $other }, which was there to be taken
leaves-square = no longer guards { $square }, where { $bare } can go now
gives-up-guard = takes a guard off { $other }, which { $piece } attacks
targets-weak-pawn = turns on { $other }, which no other pawn can guard
offers-for-outpost = offers to trade { $piece } for { $other }, which holds an outpost
aims-at-passer = offers to trade { $piece }: a pawn that takes back will be passed
offers-for-blockader = offers to trade { $piece } for { $other }, which blocks the way of a pawn
pins-pawn = pins { $other } to the king
prepares-fork = prepares to go on and attack { $other } and { $third } at once
connects-rooks = connects the rooks
central-king = keeps the king in the centre, where it is of use without queens
boxes-king = leaves the other king fewer squares to get to
provokes = makes the pawn advance to { $square }: none guards { $place } any more
heads-for-pawn = brings { $piece } towards { $other }, which no other pawn can guard
takes-king-guard = trades off the bishop that guards the king
opens-against-king = strikes with { $piece }, to open the { FILE($square) }-file against the king
closes-file = closes the { FILE($square) }-file, behind which the rooks can gather
short-side = goes to the short side of { $other }, which leaves the long side to the rook's checks
goes-for-hook = advances towards { $other }, to open lines against the king
storms-closed-centre = gains ground against the king, as the centre is closed
cuts-off-guard = cuts off a guard of { $other }

## Facts

fact-answers-check = { $move } answers a check.
fact-gives-check = { $move } gives check.
fact-captures = { $move } takes { $piece }.
fact-recaptures = { $move } takes back { $piece }.
fact-ends = { $ending ->
        [checkmate] The game ends: checkmate.
        [stalemate] The game ends: stalemate, a draw.
        [insufficient-material] The game is drawn: nobody has enough pieces left to mate.
        [fifty-moves] The game can be drawn by the fifty-move rule.
       *[repetition] The game can be drawn by repetition.
    }
fact-place = { $place ->
        [centre] { $piece } stands in the centre.
       *[edge] { $piece } stands at the edge.
    }
fact-sees = { $piece } attacks { $after ->
        [one] { $after } square
       *[other] { $after } squares
    } ({ $before } before).
fact-mobility = { $player } has { $after ->
        [one] { $after } legal move
       *[other] { $after } legal moves
    } ({ $before } before).
fact-file = { $state ->
        [open] The { FILE($square) }-file, where the piece stands now, is open.
       *[half-open] The { FILE($square) }-file, where the piece stands now, is half-open for { $player }.
    }

## The net's view

net-gains = The network thinks more { OF($piece) } than before: { $pawns } pawns, give or take { $error }.
net-loses = The network thinks less { OF($piece) } than before: { $pawns } pawns, give or take { $error }.

## The page of an annotated game

story-opening = Opening: { $name } ({ $eco }).
story-turning = The turning point was { $move }.
story-habit = { $habit ->
        [mate] { $player } allowed a mate { $count } times.
        [lost] { $player } lost material { $count } times.
       *[missed] { $player } missed a win of material or mate { $count } times.
    }
story-retry = Worth another try: { $moves }.
page-title = Annotated games
page-accuracy = Accuracy
page-white = White
page-black = Black
page-opening = opening
page-middlegame = middlegame
page-endgame = endgame
page-inaccuracies = Inaccuracies
page-mistakes = Mistakes
page-blunders = Blunders
page-graph = White's expected score
page-moves = Moves
page-better = Better
