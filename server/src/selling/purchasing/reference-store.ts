import type { Db } from '#platform'

/** A company's own names for an order. */
export interface OrderReference {
  /** Number of its purchase order: BT-13 of EN 16931. */
  purchaseOrder: string | null
  /** Whose budget it is: BT-10, the buyer's reference. */
  costCentre: string | null
}

const read = {
  name: 'purchasing.order-reference',
  text: `select purchase_order as "purchaseOrder", cost_centre as "costCentre" from purchasing.order_reference where customer_order_id = $1`,
}
export function readOrderReference(db: Db, customerOrderId: string): Promise<OrderReference | undefined> {
  return db.row<OrderReference>(read, [customerOrderId])
}

const about = {
  name: 'purchasing.references-about-orders',
  text: `select customer_order_id as "orderId", purchase_order as "purchaseOrder", cost_centre as "costCentre", changed_at as "changedAt"
    from purchasing.order_reference where customer_order_id = any($1) order by changed_at, customer_order_id`,
}
/** The names that a company has given these orders: for their buyer's data export. */
export function readReferencesAbout(db: Db, customerOrderIds: readonly string[]): Promise<unknown[]> {
  return db.rows<object>(about, [customerOrderIds])
}

const write = {
  name: 'purchasing.write-order-reference',
  text: `insert into purchasing.order_reference (customer_order_id, purchase_order, cost_centre, changed_by) values ($1, $2, $3, $4)
    on conflict (customer_order_id) do update set purchase_order = excluded.purchase_order, cost_centre = excluded.cost_centre,
      changed_by = excluded.changed_by, changed_at = now()`,
}
const remove = { name: 'purchasing.remove-order-reference', text: 'delete from purchasing.order_reference where customer_order_id = $1' }

/** Without either name the row goes. */
export async function writeOrderReference(
  db: Db,
  customerOrderId: string,
  { purchaseOrder, costCentre }: OrderReference,
  changedBy: string,
): Promise<void> {
  if (purchaseOrder === null && costCentre === null) await db.run(remove, [customerOrderId])
  else await db.run(write, [customerOrderId, purchaseOrder, costCentre, changedBy])
}
