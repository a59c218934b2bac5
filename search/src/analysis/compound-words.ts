/** Whether a folded word occurs on its own somewhere. */
export type KnownWord = (word: string) => boolean

const MIN_PART = 3
const MIN_COMPOUND = 7
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e', 'ns']

/**
 * German roots that rarely occur alone in a catalogue but often inside its words. Folded.
 */
const ROOTS = new Set(
  `abfluss abwasser akku alu aluminium ampel anschluss arbeit arbeits armatur aussen auto bad bade balkon bank bau baum becken beton bett bewegungs
  blech boden bogen bohr bohrer brause brett brenn brennwert brief briefkasten bronze bus dach dampf dicht dichtung doppel draht dreh druck drucker
  dose dusch dusche eck ecke edel edelstahl eimer einbau einhand eisen elektro erd estrich fach farbe farb feder feile fein fenster fest feuer filter
  flach fliese fliesen flex fugen fuss garage garten gas gelenk gerat gestell gewinde gips gitter glas gras griff grill grund gummi haken hahn halter
  hammer hand handschuh handtuch haube haus hebel hecke hecken heiz heizkorper heizung hobel hoch hochdruck holz hub hubschrauber hulse isolier innen kabel
  kamin kammer kanal kasten kelle keller keramik kette ketten kipp kiste klapp kleb kleber klebe kleider klemme klima koffer kohle kombi kompressor
  kopf korb kran kraft kreis kreuz kuche kugel kuhl kupfer kunststoff lack lade lager lampe lampen laser last laub laufer leim leiste leiter leitung
  leuchte licht linien linie loch luft magnet maler markise maschine mass matte mauer mehr mehrzweck meissel messer messing metall misch mischer
  mittel mobel montage motor mutter nagel nass netz ofen ol papier pfanne pfosten pinsel platte pool profil pumpe pumpen putz rad rahmen rand rasen
  rauch regal regen regler reiniger ring rinne rohr rolle rollen rost rund sack sage sagen sand sanitar sauger saule schacht schalter schaufel
  schaum scheibe schere schicht schiebe schiene schirm schlag schlauch schleif schleifer schliess schloss schlussel schmier schnur schnell schrank
  schraub schraube schrauben schrauber schuh schutz schwamm schweiss schwer schwerlast schwing seife seil set sicher sicherheit sicherheits sieb silikon
  silo sitz sockel sonnen spachtel span spann spanplatten speicher sperr spiegel spritz spul spule spulung stab stahl stand station staub steck
  stecker stein stift stich stoff strahl strahler streich strom stuck stuhl stutze tank tapete tapeten tasche tauch tau teller teppich terrasse tisch
  tor topf trag trenn treppe trocken tuch tur ture uberwachung uhr umwalz unter ventil verbinder verlangerung verteiler vlies vorhange wand wandel
  wanne warm warme wasch wasser wc wechsel weg weich weiss werk werkzeug winkel wohn zange zahler zahn zange zaun zeit zelt zement ziegel zimmer zug
  zwinge zylinder`
    .trim()
    .split(/\s+/),
)

/** The parts of a compound, left to right, without linking letters; null if it is not one. */
export function compoundParts(word: string, isKnown: KnownWord): string[] | null {
  if (word.length < MIN_COMPOUND || /\d/.test(word)) return null
  const parts = split(word, (part) => part !== word && (ROOTS.has(part) || isKnown(part)), 4)
  return parts && parts.length > 1 ? parts : null
}

/** Fewest parts; of equals, the one with the longest last part, which is the head. */
function split(word: string, isPart: KnownWord, left: number): string[] | null {
  let best: string[] | null = isPart(word) ? [word] : null
  if (best || left === 1) return best
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const head = word.slice(0, at)
    const link = LINKS.find(
      (ending) => head.length - ending.length >= MIN_PART && head.endsWith(ending) && isPart(head.slice(0, head.length - ending.length)),
    )
    if (link === undefined) continue
    const rest = split(word.slice(at), isPart, left - 1)
    if (rest && (!best || rest.length + 1 < best.length)) best = [head.slice(0, head.length - link.length), ...rest]
  }
  return best
}

/** Two known words written as one, in any language: "lawnmower". */
export function splitInTwo(word: string, isKnown: KnownWord, shortest = MIN_PART): [string, string] | null {
  for (let at = word.length - shortest; at >= shortest; at--) {
    const head = word.slice(0, at)
    const tail = word.slice(at)
    if (isKnown(head) && isKnown(tail)) return [head, tail]
  }
  return null
}
