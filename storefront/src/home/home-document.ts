import { cardFragment } from '../shell/card-fields.ts'
import type { ListedCard } from '../shell/card.tsx'

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

export const homeDocument = `query Home {
  home {
    departments { id name url department pictureUrl children { id name url } }
    deals { ...card } topSales { ...card } highlights { ...card }
    brands { id name url logoUrl }
  }
}
${cardFragment}`
