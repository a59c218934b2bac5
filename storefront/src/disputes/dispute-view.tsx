import { Alert, Button, Icon, TextArea } from '@purlin/ui'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import type { DisputeFragment } from '../generated/documents.ts'
import conversation from '../messages/messages.module.css'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from '../support/support.module.css'
import { buyerMoves, disputeField as field } from './dispute-form.ts'
import { Evidence } from './dispute-opener.tsx'

/** Goods that have not arrived are sent again as pieces of the order. */
const aboutMissingGoods: ReadonlySet<DisputeFragment['reason']> = new Set(['NOT_RECEIVED', 'INCOMPLETE'])

/** Whether other goods or a repair were agreed on, which a return carries out: a dispute does not name pieces. */
function agreesOnGoods({ state, reason, wish, offered }: DisputeFragment): boolean {
  const isForGoods = wish === 'REPLACEMENT' || wish === 'REPAIR'
  return state === 'SETTLED' && isForGoods && offered === null && !aboutMissingGoods.has(reason)
}

interface Props {
  dispute: DisputeFragment
  customerOrderId: string
  context: ShopContext
}

/** A dispute: where it stands, what has happened, and what its buyer can do. */
export function DisputeView({ dispute, customerOrderId, context }: Props): ReactNode {
  const { t, formats, pathname } = context
  const { state, dueAt, sellerName, wanted, offered, decided, moves, steps, refundId, reason, wish } = dispute
  const toReturn = (text: ReactNode) => <a href={paths.returnRequest({ customerOrderId, orderId: dispute.orderId })}>{text}</a>
  const may = buyerMoves.filter((move) => moves.includes(move))
  return (
    <>
      <Alert severity={state === 'OFFERED' || state === 'DECIDED' ? 'warning' : 'info'} title={t(`dispute.state.${state}`)}>
        <p>{t(`dispute.state-text.${state}`, { seller: sellerName })}</p>
        {dueAt && <p>{t('dispute.due', { at: dueAt })}</p>}
        {agreesOnGoods(dispute) && <p>{t.rich('dispute.agreed-goods', { return: toReturn }, { seller: sellerName })}</p>}
      </Alert>
      <dl className={room.factList}>
        <Fact label={t('dispute.reason')} value={t(`dispute.reason.${reason}`)} />
        <Fact label={t('dispute.wish')} value={t(`dispute.wish.${wish}`)} />
        {wanted && wanted.amount > 0 && <Fact label={t('dispute.wanted')} value={wanted.formatted} />}
        {offered && <Fact label={t('dispute.offered')} value={offered.formatted} />}
        {decided && <Fact label={t('dispute.decided')} value={decided.formatted} />}
      </dl>
      {refundId && (
        <p>
          <a href={paths.refundForm({ id: refundId })}>{t('dispute.refund')}</a>
        </p>
      )}
      <h2>{t('dispute.history')}</h2>
      <ol className={conversation.thread}>
        {steps.map(({ position, actor, text, note, amount, files, at }) => (
          <li key={position} className={actor === 'BUYER' ? `${conversation.message} ${conversation.own}` : conversation.message}>
            <p className={conversation.author}>
              <b>{text}</b>
              <time className={room.quiet} dateTime={at}>
                {formats.dateTime(at)}
              </time>
            </p>
            {amount && amount.amount > 0 && <p className={conversation.body}>{t('dispute.amount', { amount: amount.formatted })}</p>}
            {note && <p className={conversation.body}>{note}</p>}
            {files.length > 0 && (
              <ul className={conversation.files}>
                {files.map((file) => (
                  <li key={file.id}>
                    <a href={file.url}>
                      <Icon name="document" size={18} />
                      {file.name}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {may.length > 0 && (
        <form method="post" action={pathname} encType="multipart/form-data" className={styles.form}>
          <h2>{t('dispute.your-turn')}</h2>
          <TextArea id="note" name={field('note')} label={t('dispute.note')} rows={4} maxLength={2_000} />
          <Evidence t={t} typed={null} />
          <div className={room.actions}>
            {may.map((move) => (
              <Button key={move} name={field('do')} value={move} look={move === 'ACCEPT' ? 'primary' : 'secondary'}>
                {t(`dispute.move.${move}`)}
              </Button>
            ))}
          </div>
        </form>
      )}
    </>
  )
}

function Fact({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <div>
      <dt className={room.quiet}>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
