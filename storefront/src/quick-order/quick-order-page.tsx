import { randomUUID } from 'node:crypto'
import { maxOrderRows } from '@purlin/contract/order-limits.ts'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { Alert, Button, Container, TextArea } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import {
  AddQuickOrderDocument,
  KeptOrderRowsDocument,
  ListsOfSitesDocument,
  QuickOrderDocument,
  type QuickOrderFragment,
  WishlistRowsDocument,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ListLinks, type NamedList } from '../wishlist/list-links.tsx'
import { OrderRows, OrderSum, wrongIn } from './order-rows.tsx'
import { maxPasted, quickOrderField as field, quickOrderForm, rowsOfForm } from './quick-order-form.ts'
import styles from './quick-order.module.css'
import { ScanButtons } from './scan-buttons.tsx'
import { SheetForm } from './sheet-form.tsx'

const outcomes = ['read', 'cut', 'left', 'empty', 'damaged', 'too-large'] as const
export type Outcome = (typeof outcomes)[number]

export async function load(context: ShopContext) {
  const { sheet, list, quantities } = context.query
  const outcome = outcomes.find((each) => each === sheet)
  const hasRows = outcome === 'read' || outcome === 'cut' || outcome === 'left'
  const rows = hasRows
    ? (await context.client.query(KeptOrderRowsDocument)).rows
    : typeof list === 'string'
      ? (await context.client.query(WishlistRowsDocument, { id: list })).rows
      : []
  return {
    data: {
      checked: await check(context, rows),
      outcome,
      isOneEach: hasRows && quantities === 'none',
      lists: await listsOfSites(context),
      idempotencyKey: randomUUID(),
    },
    title: context.t('quick-order.title'),
    robots: 'noindex',
    allows: { camera: true },
  }
}

async function check({ client }: ShopContext, rows: readonly OrderRow[]): Promise<QuickOrderFragment | null> {
  if (rows.length === 0) return null
  return (await client.query(QuickOrderDocument, { rows: rows.map(({ code, quantity }) => ({ code, quantity })) })).quickOrder
}

/** Lists of the company's building sites, to begin with; consumers have none. */
async function listsOfSites({ client, mode }: ShopContext): Promise<NamedList[]> {
  if (mode !== 'b2b') return []
  const { wishlists } = await client.query(ListsOfSitesDocument)
  return wishlists.filter(({ site, count }) => site !== null && count > 0)
}

interface Shown {
  /** Null when the form itself could not be read. */
  checked: QuickOrderFragment | null
  messages: readonly string[]
}

export const action = formAction(
  quickOrderForm,
  async (context: ShopContext, input) => {
    const { client, t } = context
    const { rows: all, isOneEach } = rowsOfForm(input)
    const rows = all.slice(0, maxOrderRows)
    if (rows.length === 0) return refuse<Shown>({ checked: null, messages: [t('quick-order.empty')] })
    // Rows beyond the limit would be lost behind the message that all are in the basket, and quantities that were not found.
    const messages = [
      ...(all.length > rows.length ? [t('quick-order.cut', { count: maxOrderRows })] : []),
      ...(isOneEach ? [t('quick-order.one-each')] : []),
    ]
    if (input.do === 'check' || messages.length > 0) {
      const checked = await check(context, rows)
      return refuse<Shown>({ checked, messages }, input.do === 'check' && checked?.ready === rows.length ? 200 : 422)
    }
    // Not checked before: once the first of two presses has added them, the rows may exceed what is left in stock.
    const result = (await client.mutate(AddQuickOrderDocument, { rows, key: input.idempotencyKey ?? null }))?.result
    if (!result || result.added === 0)
      return refuse<Shown>({ checked: await check(context, rows), messages: [t('quick-order.none-right')] })
    // What is left has been kept, so that a reload adds nothing twice.
    return result.left.rows.length === 0
      ? redirect(303, paths.cart(), { severity: 'success', key: 'flash.quick-order-added' })
      : redirect(303, `${paths.quickOrder()}?sheet=left`, { severity: 'warning', key: 'flash.quick-order-added-in-part' })
  },
  ({ t }, { fields }): Shown => {
    const isTooLong = fields.some((fault) => fault.field === 'lines' && fault.constraint === 'too-long')
    const message = isTooLong ? t('quick-order.too-long', { limit: maxPasted }) : t('quick-order.not-read', { count: maxOrderRows })
    return { checked: null, messages: [message] }
  },
)

/** Many articles at once by part number or EAN: typed, pasted or uploaded. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, Shown>): ReactNode {
  const { t } = context
  const checked = refusal ? refusal.checked : data.checked
  // What could not be read is shown again as it was typed.
  const unread =
    refusal && !refusal.checked && typed ? rowsOfForm({ code: typed.all('code'), quantity: typed.all('quantity'), lines: '' }).rows : []
  return (
    <Container>
      <h1 className={styles.title}>{t('quick-order.title')}</h1>
      <p className={styles.lead}>{t('quick-order.lead', { count: maxOrderRows })}</p>
      <div className={styles.outcome}>
        {data.outcome && !refusal && <SheetOutcome outcome={data.outcome} context={context} />}
        {data.isOneEach && !refusal && (
          <Alert severity="warning" announces>
            {t('quick-order.sheet.one-each')}
          </Alert>
        )}
        {(refusal || checked) && <Summary messages={refusal?.messages ?? []} checked={checked} context={context} />}
      </div>
      <Enhance with="quick-order" when="load">
        <form
          method="post"
          action={paths.quickOrder()}
          className={styles.form}
          data-quick-order
          data-wrong-class={styles.wrong}
          data-problem-class={styles.problem}
          data-same-as={t('quick-order.same-as', { row: 0 })}
          noValidate
        >
          <input type="hidden" name={field('idempotencyKey')} value={data.idempotencyKey} />
          <ScanButtons context={context} />
          <p role="status" className={styles.cut} data-cut={t('quick-order.cut', { count: maxOrderRows })} />
          <p role="status" className={styles.cut} data-one-each={t('quick-order.one-each')} />
          <OrderRows checked={checked} unread={unread.slice(0, maxOrderRows)} context={context} />
          <TextArea
            id="lines"
            name={field('lines')}
            label={t('quick-order.paste')}
            hint={t('quick-order.paste-hint')}
            defaultValue={refusal && !refusal.checked ? typed?.get('lines') : ''}
            spellCheck={false}
          />
          <div className={styles.bar}>
            <OrderSum checked={checked} context={context} />
            <div className={styles.buttons}>
              <Button name={field('do')} value="check" look="secondary">
                {t('quick-order.check')}
              </Button>
              <Button name={field('do')} value="add" icon="cart">
                {t('quick-order.add')}
              </Button>
            </div>
          </div>
        </form>
      </Enhance>
      <SheetForm wasRead={data.outcome === 'read' || data.outcome === 'cut'} context={context} />
      {data.lists.length > 0 && (
        <ListLinks
          title={t('wishlist.lists-of-sites')}
          heading="h2"
          lists={data.lists}
          hrefOf={({ id }) => `${paths.quickOrder()}?list=${encodeURIComponent(id)}`}
          saysSite
          context={context}
        />
      )}
    </Container>
  )
}

/** Above the rows, where somebody looks first after a check: how many are to be corrected, and the way to the first of them. */
function Summary({ messages, checked, context: { t } }: Shown & { context: ShopContext }): ReactNode {
  const wrong = checked ? wrongIn(checked) : 0
  const count = checked?.rows.length ?? 0
  if (messages.length === 0 && wrong === 0)
    return (
      <Alert severity="success" announces>
        {t('quick-order.all-right', { count })}
      </Alert>
    )
  const first = checked?.rows.findIndex(({ problem }) => problem !== null)
  return (
    <Alert severity="danger" announces takesFocus>
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {wrong > 0 && <p>{t.rich('quick-order.summary', { link: (text) => <a href={`#row-${first}`}>{text}</a> }, { wrong, count })}</p>}
    </Alert>
  )
}

function SheetOutcome({ outcome, context: { t } }: { outcome: Outcome; context: ShopContext }): ReactNode {
  const severity = outcome === 'read' ? 'success' : outcome === 'cut' || outcome === 'left' ? 'warning' : 'danger'
  return (
    <Alert severity={severity} announces>
      {t(`quick-order.sheet.${outcome}`, { count: maxOrderRows })}
    </Alert>
  )
}
