import { Alert, Button, ButtonLink, Check, EmptyState, Field, Select, TextArea } from '@purlin/ui'
import { Container } from '@purlin/ui/panel.tsx'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice, files, optionalLines, optionalText, takenFile, text, wholeNumber } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { RequestReturnDocument, ReturnOptionsDocument, type RefusalFragment, type ReturnOptionsQuery } from '../generated/documents.ts'
import { typedAmount } from '../disputes/dispute-form.ts'
import { BackToAccount } from '../account/account-frame.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { chosenLines, chosenName } from './chosen-lines.ts'

const reasons = ['changed-mind', 'wrong', 'damaged', 'defective', 'missing-part'] as const
const wishes = ['refund', 'replacement', 'repair', 'part-refund'] as const
const methods = ['label', 'home-collection'] as const
const returnForm = v.object({
  reason: choice(reasons),
  wish: choice(wishes),
  amount: optionalText(12),
  method: choice(methods),
  description: optionalLines(2_000),
  photos: files(5),
  lines: v.record(text(40), wholeNumber({ most: 999_999 })),
})
const field = namesOf(returnForm)
type Options = NonNullable<ReturnOptionsQuery['returnOptions']>

export async function load(context: ShopContext) {
  const { customerOrderId = '', orderId = '' } = context.params
  const lines = chosenLines(context.query)
  const { returnOptions } = await context.client.query(ReturnOptionsDocument, { customerOrderId, sellerOrderId: orderId, lines })
  if (!returnOptions) return notFound()
  const reason = reasons.find((known) => known === context.query['reason']) ?? null
  const offer = returnOptions.reasons.find((each) => each.reason === reason) ?? null
  const isSecondStep = offer !== null && returnOptions.lines.some(({ chosen }) => chosen > 0)
  const isIncomplete = context.query['lines'] !== undefined && !isSecondStep
  const data = { options: returnOptions, reason, offer: isSecondStep ? offer : null, isIncomplete, customerOrderId, sellerOrderId: orderId }
  return { data, title: context.t(reason === 'changed-mind' ? 'returns.withdraw.title' : 'returns.title'), robots: 'noindex' }
}

export const action = formAction(returnForm, async (context: ShopContext, { lines, photos, amount, ...input }) => {
  const { customerOrderId = '', orderId = '' } = context.params
  const wanted = Object.entries(lines).flatMap(([offerId, quantity]) => (quantity > 0 ? [{ offerId, quantity }] : []))
  const answer = await context.client.mutate(RequestReturnDocument, {
    input: {
      ...input,
      amount: input.wish === 'part-refund' ? typedAmount(amount) : null,
      customerOrderId,
      sellerOrderId: orderId,
      lines: wanted,
      photos: photos.map(({ id }) => id),
    },
  })
  const done = answer?.requestReturn
  if (!done || done.refusal?.reason === 'unknown-order') return notFound()
  if (done.refusal || !done.id) return refuse(done.refusal ?? { reason: '', message: '', fields: [] })
  const key = input.reason === 'changed-mind' ? ('flash.withdrawal-declared' as const) : ('flash.return-requested' as const)
  return redirect(303, paths.returnConfirmation({ customerOrderId, orderId, requestId: done.id }), { severity: 'success', key })
})

/** Withdrawal and returns in two steps: what and why, then the wish and the confirmation. Works without scripts. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { options, reason, offer, isIncomplete, customerOrderId, sellerOrderId } = data
  const canReturn = options.reasons.length > 0 && options.lines.some(({ returnable }) => returnable > 0)
  const isWithdrawal = reason === 'changed-mind' && options.reasons.some((each) => each.isWithdrawal)
  return (
    <Container>
      <div className={styles.narrow}>
        <BackToAccount to={paths.orderDetails({ customerOrderId, sellerOrderId })} label={t('returns.back')} />
        <p className={styles.kicker}>{t('cancellation.from', { seller: options.sellerName })}</p>
        <h1>{t(isWithdrawal ? 'returns.withdraw.title' : 'returns.title')}</h1>
        {refusal && (
          <Alert severity="danger" announces title={refusal.message}>
            {refusal.fields.map(({ message }) => (
              <p key={message}>{message}</p>
            ))}
          </Alert>
        )}
        {isIncomplete && !refusal && <Alert severity="danger" announces title={t('returns.choose')} />}
        {!canReturn ? (
          <EmptyState icon="info" title={t('returns.none.title')}>
            <p>{t('returns.none.text')}</p>
          </EmptyState>
        ) : !options.mayReturn ? (
          <Alert severity="info">{t('returns.only-buyer')}</Alert>
        ) : offer ? (
          <SecondStep options={options} offer={offer} photos={typed?.all(field('photos')) ?? []} typed={typed} context={context} />
        ) : (
          <>
            {reason === 'changed-mind' && !isWithdrawal && (
              <Alert severity="info" title={t('returns.withdraw.over')}>
                <p>{t('returns.withdraw.over.text')}</p>
              </Alert>
            )}
            <FirstStep options={options} reason={isWithdrawal || reason !== 'changed-mind' ? reason : null} context={context} />
          </>
        )}
      </div>
    </Container>
  )
}

function FirstStep({
  options,
  reason,
  context: { t, pathname },
}: {
  options: Options
  reason: string | null
  context: ShopContext
}): ReactNode {
  return (
    <section className={styles.panel}>
      <form method="get" action={pathname}>
        <ul className={styles.plainList}>
          {options.lines.map((line) => (
            <li key={line.offerId} className={styles.part}>
              <div className={styles.miniLine}>
                <img src={line.imageUrl} alt="" width={64} height={64} />
                <div>
                  <p className={styles.miniTitle}>{line.title}</p>
                  {line.returnable === 0 && <p className={styles.quiet}>{t('returns.not-returnable')}</p>}
                </div>
              </div>
              {line.returnable > 0 && (
                <Select
                  name={chosenName(line.offerId)}
                  label={t('returns.quantity', { title: line.title })}
                  quiet
                  options={Array.from({ length: line.returnable + 1 }, (_, count) => ({
                    value: String(count),
                    label: count === 0 ? t('returns.keep') : t('returns.option', { count }),
                  }))}
                  // Whoever bought a single thing came to return it.
                  defaultValue={String(options.lines.length === 1 ? line.chosen || line.returnable : line.chosen)}
                />
              )}
            </li>
          ))}
        </ul>
        <fieldset className={styles.part}>
          <legend className={styles.legend}>{t('returns.reason')}</legend>
          {options.reasons.map((each) => (
            <Check
              key={each.reason}
              type="radio"
              name={field('reason')}
              value={each.reason}
              required
              defaultChecked={each.reason === reason}
              label={each.reasonLabel}
              {...(each.daysLeft !== null && each.daysLeft <= 60 && { hint: t('returns.days-left', { count: each.daysLeft }) })}
            />
          ))}
        </fieldset>
        <p>
          <Button size="l">{t('returns.continue')}</Button>
        </p>
      </form>
    </section>
  )
}

interface SecondProps {
  options: Options
  offer: Options['reasons'][number]
  /** Photos accepted in an earlier attempt. */
  photos: readonly string[]
  typed: FormFields | undefined
  context: ShopContext
}

function SecondStep({ options, offer, photos, typed, context: { t, pathname, search } }: SecondProps): ReactNode {
  const isWithdrawal = offer.isWithdrawal
  const chosen = options.lines.filter((line) => line.chosen > 0)
  return (
    <section className={styles.panel}>
      <form method="post" action={`${pathname}${search}`} encType="multipart/form-data">
        <h2>{t('returns.summary')}</h2>
        <ul className={styles.plainList}>
          {chosen.map((line) => (
            <li key={line.offerId}>
              {t('returns.line', { count: line.chosen, title: line.title })}
              <input type="hidden" name={field(`lines.${line.offerId}`)} value={line.chosen} />
            </li>
          ))}
        </ul>
        <p className={styles.quiet}>{offer.reasonLabel}</p>
        <input type="hidden" name={field('reason')} value={offer.reason} />
        {offer.wishes.length > 1 ? (
          <Select
            id="wish"
            name={field('wish')}
            label={t('returns.wish')}
            options={offer.wishes}
            defaultValue={typed?.get(field('wish')) || undefined}
          />
        ) : (
          <input type="hidden" name={field('wish')} value={offer.wishes[0]?.value} />
        )}
        {offer.wishes.some(({ value }) => value === 'part-refund') && (
          <Field
            id="amount"
            name={field('amount')}
            label={t('returns.part-amount')}
            hint={t('returns.part-amount-hint')}
            optional={t('returns.optional')}
            inputMode="decimal"
            width="short"
            defaultValue={typed?.get(field('amount')) ?? ''}
          />
        )}
        {offer.methods.length > 1 ? (
          <Select id="method" name={field('method')} label={t('returns.method')} options={offer.methods} />
        ) : (
          <>
            <p className={styles.quiet}>{offer.methods[0]?.label}</p>
            <input type="hidden" name={field('method')} value={offer.methods[0]?.value} />
          </>
        )}
        {!isWithdrawal && (
          <>
            <TextArea
              id="description"
              name={field('description')}
              label={t('returns.description')}
              optional={t('returns.optional')}
              rows={4}
            />
            {photos.map((value) => (
              <p key={value} className={styles.quiet}>
                <input type="hidden" name={field('photos')} value={value} />
                {takenFile(value).name}
              </p>
            ))}
            <Field
              id="photos"
              name={field('photos')}
              type="file"
              multiple
              accept="image/jpeg,image/png,image/webp"
              label={t('returns.photos')}
              hint={t('returns.photos-hint')}
              {...(!offer.needsPhotos && { optional: t('returns.optional') })}
            />
          </>
        )}
        {offer.wishes[0]?.value === 'refund' && (
          <p className={styles.headRow}>
            <span>{t('returns.refund')}</span>
            <strong>{offer.refund.formatted}</strong>
          </p>
        )}
        {isWithdrawal && <p className={styles.quiet}>{t('returns.withdraw.note')}</p>}
        <p className={styles.actions}>
          <Button size="l">{t(isWithdrawal ? 'returns.confirm-withdrawal' : 'returns.send')}</Button>
          <ButtonLink href={pathname} look="secondary">
            {t('returns.change')}
          </ButtonLink>
        </p>
      </form>
    </section>
  )
}
