import { Button, ButtonLink, Field } from '@purlin/ui'
import { fieldsOf, formAction, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import {
  CompanyBudgetsDocument,
  RequireCostCentreDocument,
  SetBudgetDocument,
  type CompanyBudgetsQuery,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { Setting } from './setting.tsx'

const kinds = ['MEMBER', 'COST_CENTRE', 'SITE'] as const
const headings = { MEMBER: 'budget.members', COST_CENTRE: 'budget.centres', SITE: 'budget.sites' } as const
const budgetForm = v.object({
  do: v.literal('budget'),
  kind: choice(kinds),
  subjectId: text(40),
  monthly: optionalText(12),
  perOrder: optionalText(12),
})
const ruleForm = v.object({ do: v.literal('rule'), costCentre: choice(['required', 'optional']) })
const form = v.variant('do', [ruleForm, budgetForm])
const field = namesOf(budgetForm)
const ruleField = namesOf(ruleForm)

export async function load(context: ShopContext) {
  const { companyBudgets: company } = await context.client.query(CompanyBudgetsDocument)
  if (!company) return notFound()
  return { data: { company }, title: context.t('budget.title'), robots: 'noindex' }
}

export const action = formAction(form, async (context: ShopContext, input) => {
  if (input.do === 'rule') {
    const sent = await context.client.mutate(RequireCostCentreDocument, { isRequired: input.costCentre === 'required' })
    if (sent?.result.refusal) return refuse(sent.result.refusal)
    return redirect(303, paths.companyBudgets(), { severity: 'success', key: 'flash.purchasing-rule-saved' })
  }
  const { kind, subjectId, monthly, perOrder } = input
  const [month, order] = [wholeAmount(monthly), wholeAmount(perOrder)]
  if (month === undefined || order === undefined) {
    const message = context.t('budget.refusal.amount-invalid')
    const wrong = [month === undefined ? ['monthly'] : [], order === undefined ? ['perOrder'] : []].flat()
    return refuse<RefusalFragment>({ reason: 'amount-invalid', message, fields: wrong.map((name) => ({ field: name, message })) })
  }
  const sent = await context.client.mutate(SetBudgetDocument, { kind, subjectId, monthly: month, perOrder: order })
  if (sent?.result.refusal) return refuse(sent.result.refusal)
  return redirect(303, paths.companyBudgets(), { severity: 'success', key: 'flash.budget-saved' })
})

/** Whole units of the currency, with or without separators of thousands and ",00"; null if empty, undefined for anything else. */
function wholeAmount(typed: string | null): number | null | undefined {
  if (typed === null) return null
  const plain = typed.replace(/[\s'’\u00a0\u202f]/g, '')
  const whole = /^(\d{1,9}|\d{1,3}(?:[.,]\d{3}){1,2})(?:[.,]00?)?$/.exec(plain)?.[1]
  return whole === undefined ? undefined : Number(whole.replace(/[.,]/g, ''))
}

/** Limits of members, cost centres and building sites, with what is used of them this month. */
export function Page({ data: { company }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <AccountFrame
      context={context}
      here="companyBudgets"
      title={t('budget.title')}
      actions={
        company.canSeeSpending && (
          <ButtonLink look="secondary" href={paths.companySpending()}>
            {t('spending.title')}
          </ButtonLink>
        )
      }
    >
      <FormRefusal refusal={refusal} />
      <p className={styles.quiet}>{t('budget.lead', { month: company.month })}</p>
      {kinds.map((kind) => {
        const budgets = company.budgets.filter((each) => each.kind === kind)
        return (
          <section key={kind} className={styles.part} aria-labelledby={kind}>
            <h2 id={kind} className={styles.heading}>
              {t(headings[kind])}
            </h2>
            {kind === 'COST_CENTRE' && <Rule company={company} context={context} />}
            {budgets.length === 0 ? (
              <p className={styles.quiet}>{t.rich('budget.none', { sites: (text) => <a href={paths.companySites()}>{text}</a> })}</p>
            ) : (
              <ul className={styles.cards}>
                {budgets.map((budget) => (
                  <BudgetCard
                    key={budget.subjectId}
                    budget={budget}
                    company={company}
                    context={context}
                    {...(typed?.get(field('subjectId')) === budget.subjectId && { refusal, typed })}
                  />
                ))}
              </ul>
            )}
          </section>
        )
      })}
    </AccountFrame>
  )
}

type Company = NonNullable<CompanyBudgetsQuery['companyBudgets']>

/** Whether orders may name no cost centre. */
function Rule({ company: { canManage, requiresCostCentre }, context: { t } }: { company: Company; context: ShopContext }): ReactNode {
  return (
    <Setting
      title={t('budget.rule.title')}
      state={t(requiresCostCentre ? 'budget.rule' : 'budget.rule.optional')}
      note={canManage && !requiresCostCentre && t('budget.rule.text')}
    >
      {canManage && (
        <form method="post">
          <input type="hidden" name={ruleField('do')} value="rule" />
          <Button look="secondary" size="s" name={ruleField('costCentre')} value={requiresCostCentre ? 'optional' : 'required'}>
            {t(requiresCostCentre ? 'budget.rule.off' : 'budget.rule.on')}
          </Button>
        </form>
      )}
    </Setting>
  )
}

function BudgetCard({
  budget,
  company,
  context: { t },
  refusal,
  typed,
}: {
  budget: Company['budgets'][number]
  company: Company
  context: ShopContext
  /** The errors of this card's limits, and the input that caused them. */
  refusal?: RefusalFragment | undefined
  typed?: FormFields | undefined
}): ReactNode {
  const { kind, subjectId, name, monthly, perOrder, used, share, isForeign } = budget
  const shown = fieldsOf(budgetForm, { typed, refusal, known: (each) => whole(each === 'monthly' ? monthly : perOrder) })
  const { defaultValue: month, error: monthError } = shown('monthly')
  const { defaultValue: order, error: orderError } = shown('perOrder')
  return (
    <li className={styles.card}>
      <h3>{name}</h3>
      <p>
        {monthly ? t('budget.used-of', { used: used.formatted, monthly: monthly.formatted }) : t('budget.used', { used: used.formatted })}
      </p>
      {share !== null && <meter className={styles.meter} value={share} max={1} high={0.9} aria-label={t('budget.meter', { name })} />}
      {perOrder && <p className={styles.quiet}>{t('budget.per-order-of', { amount: perOrder.formatted })}</p>}
      {isForeign && <p className={styles.quiet}>{t('budget.foreign')}</p>}
      {company.canManage && (
        <form method="post" className={styles.form}>
          <input type="hidden" name={field('do')} value="budget" />
          <input type="hidden" name={field('kind')} value={kind} />
          <input type="hidden" name={field('subjectId')} value={subjectId} />
          <Field
            id={`monthly-${subjectId}`}
            name={field('monthly')}
            label={t('budget.monthly', { currency: company.currency })}
            hint={t('budget.empty')}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={month}
            error={monthError}
          />
          {kind === 'MEMBER' && (
            <Field
              id={`order-${subjectId}`}
              name={field('perOrder')}
              label={t('budget.per-order', { currency: company.currency })}
              hint={t('budget.empty')}
              inputMode="numeric"
              autoComplete="off"
              defaultValue={order}
              error={orderError}
            />
          )}
          <p>
            <Button look="secondary" size="s" aria-label={t('budget.save-of', { name })}>
              {t('budget.save')}
            </Button>
          </p>
        </form>
      )}
    </li>
  )
}

function whole(money: { amount: number } | null): string {
  return money === null ? '' : String(Math.round(money.amount / 100))
}
