import type { PriceBlock } from '@purlin/contract/price.ts'
import { amountFragment, priceFields } from '../shell/card-fields.ts'

export interface ShownMoney {
  amount: number
  formatted: string
}

export interface ShownLine {
  offerId: string
  productId: string
  title: string
  url: string
  imageUrl: string
  quantity: number
  step: number
  maxQuantity: number
  unitPrice: PriceBlock
  total: ShownMoney
  state: 'ok' | 'price-changed' | 'out-of-stock' | 'less-stock' | 'offer-gone'
  deliveryPromise: string
  conditionLabel: string | null
  attributes: { key: string; label: string; value: string; unit: string | null }[]
}

export interface ShownCartSeller {
  seller: { id: number; name: string; url: string; countryName: string }
  lines: ShownLine[]
  deliveryOptions: { kind: string; label: string; fee: ShownMoney; promise: string }[]
  deliveryKind: string | null
  delivery: ShownMoney
  subtotal: ShownMoney
  missingForFreeDelivery: ShownMoney | null
  freeDeliveryFrom: ShownMoney | null
}

export interface ShownCart {
  id: string | null
  taxKey: 'with_vat' | 'without_vat'
  itemCount: number
  sellers: ShownCartSeller[]
  coupon: { code: string; label: string; discount: ShownMoney } | null
  totals: {
    goods: ShownMoney
    delivery: ShownMoney
    discount: ShownMoney
    totalWithoutVat: ShownMoney
    vat: ShownMoney
    vatLines: { rate: string; net: ShownMoney; vat: ShownMoney }[]
    totalWithVat: ShownMoney
  }
  changes: { offerId: string; title: string; kind: string; before: string | null; after: string | null }[]
}

const money = '{ amount formatted }'

export const cartDocument = `query Cart {
  cart {
    id taxKey itemCount
    sellers {
      seller { id name url countryName }
      lines {
        offerId productId title url imageUrl quantity step maxQuantity unitPrice { ${priceFields} } total ${money} state
        deliveryPromise conditionLabel attributes { key label value unit }
      }
      deliveryOptions { kind label fee ${money} promise } deliveryKind delivery ${money} subtotal ${money}
      missingForFreeDelivery ${money} freeDeliveryFrom ${money}
    }
    coupon { code label discount ${money} }
    totals {
      goods ${money} delivery ${money} discount ${money} totalWithoutVat ${money} vat ${money}
      vatLines { rate net ${money} vat ${money} } totalWithVat ${money}
    }
    changes { offerId title kind before after }
  }
}
${amountFragment}`
