import { priceAndUnit, type BasketItem } from './basket.ts'

/** SAP Open Catalog Interface 4.0 and 5.0: names of fields are compared without case, as catalogues are called with both. */

export interface OciCall {
  user: string
  password: string
  hookUrl: string
  /** Sent back as they came. */
  echoed: Record<string, string>
}

const returned = ['~OkCode', '~Target', '~Caller', 'OCI_VERSION', 'returntarget']
const maxEchoed = 200

export function ociCall(fields: Readonly<Record<string, string>>): OciCall {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  const field = (...names: string[]) => names.map((name) => byName.get(name)).find((value) => value !== undefined) ?? ''
  const echoed = returned.flatMap((name) => {
    const value = byName.get(name.toLowerCase())
    return value === undefined ? [] : [[name, value.slice(0, maxEchoed).toWellFormed()] as const]
  })
  return {
    user: field('username', 'user').trim(),
    password: field('password'),
    hookUrl: field('hook_url'),
    echoed: Object.fromEntries(echoed),
  }
}

/** Cuts a text to what a field of the standard holds. */
function fitted(text: string, length: number): string {
  return [...text.replace(/\s+/g, ' ')].slice(0, length).join('')
}

export interface Field {
  name: string
  value: string
}

/** The basket as form fields, numbered from 1. */
export function ociFields(items: readonly BasketItem[], currency: string, echoed: Readonly<Record<string, string>>): Field[] {
  const fields = items.flatMap((item, index): Field[] => {
    const at = index + 1
    const { price, unit } = priceAndUnit(item)
    const field = (name: string, value: string): Field => ({ name: `NEW_ITEM-${name}[${at}]`, value })
    return [
      field('DESCRIPTION', fitted(item.title, 40)),
      field('MATNR', ''),
      field('QUANTITY', item.quantity.toFixed(3)),
      field('UNIT', 'EA'),
      field('PRICE', price),
      field('PRICEUNIT', String(unit)),
      field('CURRENCY', currency),
      field('LEADTIME', item.leadDays === null ? '' : String(item.leadDays)),
      field('VENDOR', ''),
      field('VENDORMAT', fitted(item.partId, 40)),
      field('MATGROUP', ''),
      field('SERVICE', item.isService ? 'X' : ''),
      { name: `NEW_ITEM-LONGTEXT_${at}:132[]`, value: item.title },
    ]
  })
  return [...Object.entries(echoed).map(([name, value]) => ({ name, value })), ...fields]
}
