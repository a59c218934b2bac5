import type { Db } from '#platform'
import type { Seller, SellerAddress, SellerStatus } from './seller.ts'

interface SellerRow {
  id: number
  slug: string
  name: string
  legal_name: string
  country: string
  vat_number: string
  registration: string
  address: SellerAddress
  email: string
  phone: string
  is_b2b: boolean
  rating: string | number | null
  rating_count: number
  response_hours: number
  commission_bp: number
  free_delivery_from: Seller['freeDeliveryFrom']
  about: Seller['about']
  return_terms: Seller['returnTerms']
  status: SellerStatus
}

const columns = `id, slug, name, legal_name, country, vat_number, registration, address, email, phone, is_b2b,
  rating, rating_count, response_hours, commission_bp, free_delivery_from, about, return_terms, status`

const selectSellers = { name: 'sellers.by-ids', text: `select ${columns} from sellers.seller where id = any($1::integer[])` }

export async function readSellers(db: Db, ids: readonly number[]): Promise<Map<number, Seller>> {
  if (ids.length === 0) return new Map()
  return byId(await db.rows<SellerRow>(selectSellers, [ids]))
}

function byId(rows: SellerRow[]): Map<number, Seller> {
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        slug: row.slug,
        name: row.name,
        legalName: row.legal_name,
        country: row.country,
        vatNumber: row.vat_number,
        registration: row.registration,
        address: row.address,
        email: row.email,
        phone: row.phone,
        isB2b: row.is_b2b,
        rating: row.rating === null ? null : Number(row.rating),
        ratingCount: row.rating_count,
        responseHours: row.response_hours,
        commissionBp: row.commission_bp,
        freeDeliveryFrom: row.free_delivery_from,
        about: row.about,
        returnTerms: row.return_terms,
        status: row.status,
      },
    ]),
  )
}
