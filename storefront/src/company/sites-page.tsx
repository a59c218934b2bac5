import { Alert, ButtonLink, EmptyState } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { AddressBlock } from '../checkout/address-block.tsx'
import {
  AddCostCentreDocument,
  ArchiveSiteDocument,
  ChangeCostCentreDocument,
  ChangeCostCentreRuleDocument,
  CompanySitesDocument,
  SaveSiteDocument,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ListLinks, type NamedList } from '../wishlist/list-links.tsx'
import { ArchivableCard } from './archivable-card.tsx'
import { CostCentres } from './cost-centres.tsx'
import { SiteForm } from './site-form.tsx'
import { sitesForm, type CompanySites } from './sites-form.ts'

export async function load(context: ShopContext) {
  const { companySites: company, wishlists } = await context.client.query(CompanySitesDocument)
  if (!company) return notFound()
  const { add, edit, centre } = context.query
  const edited = company.canManageSites && typeof edit === 'string' ? company.sites.find(({ id }) => id === edit) : undefined
  if (edit !== undefined && !edited) return notFound()
  const renamed =
    company.canManageCostCentres && typeof centre === 'string' ? company.costCentres.find(({ id }) => id === centre) : undefined
  if (centre !== undefined && !renamed) return notFound()
  const isAdding = add !== undefined && company.canManageSites
  const title = context.t(edited ? 'site.edit' : isAdding ? 'site.add' : 'site.title')
  const lists = wishlists.filter(({ site }) => site !== null)
  return { data: { company, lists, edited: edited ?? null, renamedId: renamed?.id ?? null, isAdding }, title, robots: 'noindex' }
}

export const action = formAction(sitesForm, async ({ client }: ShopContext, input) => {
  const sent = async () => {
    switch (input.do) {
      case 'site': {
        const { do: _, id, ...site } = input
        return client.mutate(SaveSiteDocument, { id, input: site })
      }
      case 'centre':
        return client.mutate(AddCostCentreDocument, { code: input.code, name: input.centreName ?? '' })
      case 'rename-centre':
        return client.mutate(ChangeCostCentreDocument, { id: input.id, name: input.newName ?? '' })
      case 'archive-site':
        return client.mutate(ArchiveSiteDocument, { id: input.id, isArchived: input.isArchived === 'yes' })
      case 'archive-centre':
        return client.mutate(ChangeCostCentreDocument, { id: input.id, isArchived: input.isArchived === 'yes' })
      case 'rule':
        return client.mutate(ChangeCostCentreRuleDocument, { isFree: input.isFree === 'yes' })
    }
  }
  const refusal = (await sent())?.result.refusal
  if (refusal) return refuse(refusal)
  const isSite = input.do === 'site' || input.do === 'archive-site'
  return redirect(303, paths.companySites(), { severity: 'success', key: isSite ? 'flash.site-saved' : 'flash.cost-centres-saved' })
})

/** Building sites and cost centres of a company: read by all members, changed by those whose role allows it. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { company, lists, edited, renamedId, isAdding } = data
  const sent = typed?.get('do')
  const isCentre = sent === 'centre' || sent === 'rename-centre'
  if (edited || isAdding || sent === 'site') {
    return (
      <AccountFrame context={context} here="companySites" title={t(edited ? 'site.edit' : 'site.add')}>
        <SiteForm site={edited} context={context} refusal={refusal} typed={typed} />
      </AccountFrame>
    )
  }
  const add = (
    <ButtonLink href={paths.companySites({}, { add: 1 })} icon="plus">
      {t('site.add')}
    </ButtonLink>
  )
  return (
    <AccountFrame
      context={context}
      here="companySites"
      title={t('site.title')}
      actions={company.canManageSites && company.sites.length > 0 && add}
    >
      {refusal && !isCentre && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {company.sites.length === 0 ? (
        <EmptyState icon="pin" title={t('site.none')} actions={company.canManageSites && add}>
          <p>{t('site.none.text')}</p>
        </EmptyState>
      ) : (
        <section className={styles.part} aria-labelledby="sites">
          <h2 id="sites" className={styles.heading}>
            {t('site.sites')}
          </h2>
          <ul className={styles.cards}>
            {company.sites.map((site) => (
              <SiteCard
                key={site.id}
                site={site}
                lists={lists.filter((list) => list.site?.id === site.id)}
                canManage={company.canManageSites}
                context={context}
              />
            ))}
          </ul>
        </section>
      )}
      <CostCentres
        company={company}
        renamedId={renamedId}
        context={context}
        refusal={isCentre ? refusal : undefined}
        typed={isCentre ? typed : undefined}
      />
    </AccountFrame>
  )
}

function SiteCard({
  site,
  lists,
  canManage,
  context,
}: {
  site: CompanySites['sites'][number]
  lists: readonly NamedList[]
  canManage: boolean
  context: ShopContext
}): ReactNode {
  const { id, name, firstName, lastName, phone, deliveryHours } = site
  return (
    <ArchivableCard
      of={site}
      name={name}
      editHref={paths.companySites({}, { edit: id })}
      archive="archive-site"
      hasActions={canManage}
      context={context}
    >
      <p>
        <strong>{name}</strong>
      </p>
      <AddressBlock address={{ ...site, company: null }} locale={context.locale} />
      <p className={styles.quiet}>{context.t('site.contact-of', { name: `${firstName} ${lastName}`, phone })}</p>
      {deliveryHours && <p className={styles.quiet}>{context.t('site.hours-of', { hours: deliveryHours })}</p>}
      {lists.length > 0 && <ListLinks title={context.t('wishlist.lists-of-site')} heading="h3" lists={lists} context={context} />}
    </ArchivableCard>
  )
}
