import { Button } from '@purlin/ui/button.tsx'
import { Field, Select } from '@purlin/ui/field.tsx'
import { namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { useId, type ComponentProps, type ReactNode } from 'react'
import * as v from 'valibot'
import type { OrderTargetsQuery } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { AddressBlock } from './address-block.tsx'
import styles from './checkout.module.css'

/** Building sites and cost centres of the buyer's company. */
export type OrderTargets = NonNullable<OrderTargetsQuery['companySites']>

export const chosenSiteForm = v.object({ do: v.literal('site'), siteId: text(40) })
const chosen = namesOf(chosenSiteForm)

interface SiteChoicesProps {
  targets: OrderTargets
  /** The site whose list the goods come from: it comes first. */
  fromList: string | null
  context: ShopContext
}

/** The company's building sites, each one click away from the next step. */
export function SiteChoices({ targets, fromList, context: { t, locale } }: SiteChoicesProps): ReactNode {
  const sites = targets.sites
    .filter(({ isArchived }) => !isArchived)
    .toSorted((one, other) => Number(other.id === fromList) - Number(one.id === fromList))
  if (sites.length === 0) return null
  return (
    <section className={styles.panel} aria-labelledby="sites">
      <h2 id="sites">{t('site.sites')}</h2>
      <ul className={styles.choices}>
        {sites.map((site) => (
          <li key={site.id}>
            <div>
              <p>
                <strong>{site.name}</strong>
              </p>
              <AddressBlock address={{ ...site, company: null }} locale={locale} />
              {site.id === fromList && <p className={styles.quiet}>{t('order-reference.site-of-list')}</p>}
              {site.deliveryHours && <p className={styles.quiet}>{t('site.hours-of', { hours: site.deliveryHours })}</p>}
            </div>
            <form method="post">
              <input type="hidden" name={chosen('siteId')} value={site.id} />
              <Button
                name={chosen('do')}
                value="site"
                look={site.id === fromList ? 'primary' : 'secondary'}
                aria-label={t('checkout.address.choose-named', { address: site.name })}
              >
                {t('checkout.address.choose')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SiteFieldProps {
  id: string
  name: string
  defaultValue: string
  error?: string | undefined
  targets: OrderTargets | null
  /** The order's present site, which stays a choice when it is archived. */
  known?: string | null
  context: ShopContext
}

/** The building site whose budget an order is charged to, wherever its goods go. Nothing for a company without sites. */
export function SiteField({ targets, known = null, context: { t }, error, ...field }: SiteFieldProps): ReactNode {
  const sites = targets?.sites.filter(({ id, isArchived }) => !isArchived || id === known) ?? []
  if (sites.length === 0) return null
  return (
    <Select
      {...field}
      {...(error !== undefined && { error })}
      label={t('order-reference.charged-site')}
      options={[{ value: '', label: t('order-reference.no-site') }, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}

type CostCentreProps = { targets: OrderTargets | null } & Pick<ComponentProps<typeof Field>, 'label'> & {
    id: string
    name: string
    defaultValue: string
    error?: string | undefined
    /** The order's present cost centre, which stays a choice when it is no longer on the list. */
    known?: string | null
  }

/** A cost centre from the company's list; others may be typed where the company allows it. */
export function CostCentreField({ targets, label, id, name, defaultValue, error, known: present = null }: CostCentreProps): ReactNode {
  const list = useId()
  const known = targets?.costCentres.filter(({ isArchived }) => !isArchived) ?? []
  const options = known.map(({ code, name: title }) => ({ value: code, label: title === '' ? code : `${code} · ${title}` }))
  const field = { id, name, label, ...(error !== undefined && { error }) }
  if (targets && !targets.isFree) {
    const former = present === null || known.some(({ code }) => code === present) ? [] : [{ value: present, label: present }]
    return <Select {...field} defaultValue={defaultValue} options={[{ value: '', label: '–' }, ...options, ...former]} />
  }
  return (
    <>
      <Field {...field} defaultValue={defaultValue} autoComplete="off" {...(known.length > 0 && { list })} />
      {known.length > 0 && (
        <datalist id={list}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
