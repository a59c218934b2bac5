import { marketCodes, modes } from '@purlin/contract/markets.ts'
import type { writeExperiment } from '@purlin/server/selling/experiments/index.ts'

const everywhere = { type: 'ab', layer: 'pages', markets: marketCodes, segments: [] } as const
/**
 * Two experiments run: guides before offers on the home page, and what goes with a product before its offers. The second one has a fifth
 * of the visitors only: product pages fill most of the page cache, and each variation is a page of its own there. (decision 101)
 */
export const demoExperiments: Parameters<typeof writeExperiment>[1][] = [
  {
    campaignId: 1,
    name: 'home-order',
    state: 'running',
    definition: {
      ...everywhere,
      slots: [0, 500],
      modes: ['b2c'],
      variations: [
        { id: 1, name: 'control', weight: 1 },
        { id: 2, name: 'guides-first', weight: 1 },
      ],
    },
  },
  {
    campaignId: 2,
    name: 'goods-first',
    state: 'running',
    definition: {
      ...everywhere,
      slots: [500, 700],
      modes,
      variations: [
        { id: 1, name: 'control', weight: 1 },
        { id: 2, name: 'goods-first', weight: 1 },
      ],
    },
  },
]
