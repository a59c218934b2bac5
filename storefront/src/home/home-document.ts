import { cardFragment } from '../shell/card-fields.ts'
import type { ListedCard } from '../shell/card.tsx'
import type { ShopContext } from '../shell/context.ts'

export interface HomeDepartment {
  id: number
  name: string
  url: string
  department: string
  pictureUrl: string
  children: { id: number; name: string; url: string }[]
}

export interface Home {
  departments: HomeDepartment[]
  deals: ListedCard[]
  topSales: ListedCard[]
  highlights: ListedCard[]
  brands: { id: number; name: string; url: string; logoUrl: string }[]
}

const homeDocument = `query Home {
  home {
    departments { id name url department pictureUrl children { id name url } }
    deals { ...card } topSales { ...card } highlights { ...card }
    brands { id name url logoUrl }
  }
}
${cardFragment}`

/** What a home page shows; both storefronts ask for the same, each gets its own. */
export async function loadHome(context: ShopContext) {
  const { home } = await context.client.query<{ home: Home }>(homeDocument)
  return {
    data: { home },
    canonical: '/',
    tags: [...home.deals, ...home.topSales, ...home.highlights].map(({ productId }) => `card:${productId}`),
  }
}
