import type { Language } from '@purlin/contract/markets.ts'
import { marketCodes, modes } from '@purlin/contract/markets.ts'
import { demoThanks } from '@purlin/demo/index.ts'
import { setConfig, setFlag } from '@purlin/server/foundation/flags/index.ts'
import { asCommand, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { writeExperiment } from '@purlin/server/selling/experiments/index.ts'
import { writeItem } from '@purlin/server/goods/header/index.ts'
import { demoExperiments } from './demo-experiments.ts'

type Texts = Record<Language, { title: string; detail: string }>

/** What the demo's operator has set: a quick link, an announcement in the menu, a loyalty programme, an offer to customers of high value, two experiments. */
export function fillSettings(pool: Pool): Promise<void> {
  const item = { markets: [...marketCodes], modes: [...modes], audience: 'everybody' as const, categoryIds: [], familyIds: [], position: 0 }
  return asCommand(pool, async ({ db }) => {
    const live = { from: new Date(), until: null }
    await writeItem(db, 'best-sellers', { ...item, ...live, kind: 'quick-link', path: '/bs', texts: bestSellers })
    await writeItem(db, 'radiators', {
      ...item,
      ...live,
      kind: 'campaign',
      familyIds: [heating],
      path: '/our-comparisons',
      texts: radiators,
    })
    for (const experiment of demoExperiments) await writeExperiment(db, experiment)
    await setFlag({ db }, { market: '*', mode: 'b2b' }, 'appB2bTouchpoint', true)
    await setFlag({ db }, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true)
    await setConfig({ db }, { market: '*', mode: '*' }, { key: 'loyalty-program', value: { isAnnounced: true }, replaces: 0 })
    for (const market of marketCodes)
      await setConfig({ db }, { market, mode: '*' }, { key: 'welcome-offer-hvc', value: demoThanks(market), replaces: 0 })
  })
}

/** The department of heating in `demo/data/categories.json`. */
const heating = 1900

const bestSellers: Texts = {
  en: { title: 'Best sellers', detail: '' },
  fr: { title: 'Meilleures ventes', detail: '' },
  de: { title: 'Bestseller', detail: '' },
  es: { title: 'Más vendidos', detail: '' },
  it: { title: 'I più venduti', detail: '' },
}
const radiators: Texts = {
  en: { title: 'Electric radiators compared', detail: 'Which one for which room' },
  fr: { title: 'Comparatif des radiateurs électriques', detail: 'Le bon modèle pour chaque pièce' },
  de: { title: 'Elektroheizkörper im Vergleich', detail: 'Welcher in welchen Raum passt' },
  es: { title: 'Comparativa de radiadores eléctricos', detail: 'El adecuado para cada habitación' },
  it: { title: 'Termosifoni elettrici a confronto', detail: 'Quello giusto per ogni stanza' },
}
