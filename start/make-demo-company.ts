import { demoPeople } from '@purlin/demo/people.ts'
import { newId, type Db, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { addCostCentre, readCostCentres, readSites, saveSite } from '@purlin/server/people/companies/index.ts'
import { addToCart } from '@purlin/server/selling/cart/index.ts'
import { chooseSite, requestApproval } from '@purlin/server/selling/checkout/index.ts'
import { saveOrderReference, setBudget } from '@purlin/server/selling/purchasing/index.ts'
import { forgetEvents, type PastOffer } from './demo-past-rows.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

const sites = [
  {
    name: 'St Mary’s School, new roof',
    firstName: 'Tom',
    lastName: 'Ashby',
    phone: '01632 960330',
    line1: '27 Priory Road',
    postcode: 'S7 1LW',
    city: 'Sheffield',
    deliveryHours: 'Mon–Fri 7–15, gate on Priory Road',
  },
  {
    name: 'Canal Wharf, block B',
    firstName: 'Moira',
    lastName: 'Kent',
    phone: '01632 960331',
    line1: '2 Wharf Street',
    postcode: 'LS2 7EQ',
    city: 'Leeds',
    deliveryHours: 'Mon–Sat 8–12',
  },
] as const

const costCentres = [
  { code: 'C-100', name: 'Roofs' },
  { code: 'C-200', name: 'Tools and vans' },
] as const

const charge = {
  name: 'demo.charge-past',
  text: `with numbered as (select customer_order_id, row_number() over (order by placed_at) as n from purchasing.spend where company_id = $1)
    update purchasing.spend s set site_id = ($2::uuid[])[1 + n % 3], cost_centre_id = ($3::uuid[])[1 + n % 2]
    from numbered where numbered.customer_order_id = s.customer_order_id`,
}
const forgetMails = { name: 'demo.forget-approval-mails', text: `delete from mail.mail where key like 'approval:%'` }

/**
 * The British company builds on two sites, has cost centres and a buyer's budget, and a request beyond it that waits for its
 * approver. What it ordered before is charged to them.
 */
export async function makeDemoCompany(
  { db }: { db: Db },
  { admin, buyer, offers }: { admin: Act; buyer: Act; offers: readonly PastOffer[] },
): Promise<void> {
  const leah = demoPeople.find(({ email }) => email === 'leah@hartley.example')
  if (leah?.kind !== 'member') return
  const companyId = leah.company.id
  for (const site of sites) await admin((scope) => saveSite(scope, null, site))
  for (const centre of costCentres) await admin((scope) => addCostCentre(scope, centre))
  const [places, centres] = await Promise.all([readSites(db, companyId), readCostCentres(db, companyId)])
  // Some orders go to no site.
  const [school, wharf] = places.map(({ id }) => id)
  await db.run(charge, [companyId, [school, wharf, null], centres.map(({ id }) => id)])
  await admin((scope) => setBudget(scope, { kind: 'member', subjectId: leah.sub, monthly: 1500, perOrder: 250 }))
  for (const { id } of places.slice(0, 1))
    await admin((scope) => setBudget(scope, { kind: 'site', subjectId: id, monthly: 4000, perOrder: null }))
  for (const [index, { id: offerId }] of offers.entries()) await buyer((scope) => addToCart(scope, { offerId, quantity: 6 + index }))
  const draft = school === undefined ? null : await buyer((scope) => chooseSite(scope, school))
  if (!draft?.ok) return
  const { orderId } = draft
  await buyer((scope) => saveOrderReference(scope, orderId, { purchaseOrder: `PO ${newId().slice(-4)}`, costCentre: 'C-100' }))
  const note = 'For the school roof: the scaffolding goes on Thursday.'
  await buyer((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'invoice', note }))
  await db.run(forgetMails)
  // The shop's past sends nothing.
  await forgetEvents(db, orderId)
}
