import { card, money } from '../testing/goods.ts'

export const line = (text: string, more: object = {}) => ({
  spans: [{ text, strong: false, page: null, anchor: null, href: null, ...more }],
})
export const block = (kind: string, more: object = {}) => ({
  kind,
  id: null,
  level: null,
  title: null,
  lines: [],
  rows: [],
  parts: [],
  cards: [],
  pictureUrl: null,
  calculator: null,
  attributes: [],
  ...more,
})
export const part = (id: string, title: string, words: string, more: object = {}) => ({
  id,
  title,
  blocks: words ? [{ kind: 'paragraph', lines: [line(words)] }] : [],
  card: null,
  isTool: false,
  quantity: 1,
  measuredBy: null,
  moreUrl: '/tiles-1408',
  ...more,
})
const heading = (id: string, title: string) => block('heading', { id, title, level: 2 })
export const entryCard = (id: number, more: object = {}) => ({
  id,
  kind: 'guide',
  title: `Guide ${id}`,
  description: 'How it is done.',
  url: `/advice/guide-${id}-${id}`,
  pictureUrl: `/pictures/e/guide-${id}.svg`,
  minutes: 45,
  difficulty: 1,
  department: { id: 1400, name: 'Flooring', url: '/flooring-1400' },
  ...more,
})
export const guide = (more: object = {}) => ({
  id: 1,
  kind: 'guide',
  key: 'tile',
  title: 'How to tile a floor',
  description: 'Lay tiles yourself, from the subfloor to the joints.',
  lead: 'A floor for decades.',
  url: '/advice/how-to-tile-a-floor-1',
  pictureUrl: '/pictures/e/guide-1.svg?v=1',
  publishedOn: '2026-10-06',
  changedOn: '2026-11-02',
  minutes: 960,
  difficulty: 2,
  department: { id: 1400, name: 'Flooring', url: '/flooring-1400' },
  isPreview: false,
  total: money(120),
  materialsTotal: money(50),
  totalTaxKey: 'with_vat',
  related: [entryCard(2)],
  alternates: [
    { market: 'gb', url: '/advice/how-to-tile-a-floor-1' },
    { market: 'de', url: '/advice/bodenfliesen-verlegen-1' },
  ],
  blocks: [
    heading('before', 'Before you start'),
    block('paragraph', { lines: [line('Dry and level. '), line('Terms', { page: 'terms', anchor: 'law' })] }),
    block('warning', { lines: [line('Asbestos.')] }),
    heading('amount', 'How much'),
    block('calculator', { id: 'floor', title: 'Your floor', calculator: { kind: 'floor', sparePercent: 10, coats: 1, amount: 22 } }),
    heading('list', 'Tools and materials'),
    block('shopping', {
      parts: [
        part('tiles', 'Floor tiles', 'One batch.', { card: card(1), quantity: 8, measuredBy: 'floor' }),
        part('grinder', 'Grinder', 'With a diamond blade.', { card: card(2, { sellerName: 'Other' }), isTool: true }),
        part('grout', 'Grout', ''),
      ],
    }),
    heading('steps', 'Step by step'),
    block('steps', { parts: [part('prime', 'Prime the floor', 'With a roller.'), part('lay', 'Lay the tiles', 'Press them.')] }),
    block('table', { rows: [{ cells: [line('What'), line('Time')] }, { cells: [line('Laying'), line('8 hours')] }] }),
    block('products', { id: 'tiles', title: 'Well rated tiles', cards: [card(3)] }),
    block('faq', { parts: [part('when', 'When can I walk on it?', 'After 24 hours.')] }),
  ],
  ...more,
})
