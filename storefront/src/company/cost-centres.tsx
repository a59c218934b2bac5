import { Button, ButtonLink, Field } from '@purlin/ui'
import { fieldsOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import type { RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { ArchivableCard } from './archivable-card.tsx'
import { Setting } from './setting.tsx'
import { costCentreForm, renameForm, sitesField as field, type CompanySites } from './sites-form.ts'

interface Props {
  company: CompanySites
  /** The cost centre whose name is being edited. */
  renamedId: string | null
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** The list that buyers choose a cost centre from. */
export function CostCentres({ company, renamedId, context, refusal, typed }: Props): ReactNode {
  const { t } = context
  const { costCentres, isFree, canManageCostCentres: canManage } = company
  // The gateway's name of the field is not the form's: the page has two names.
  const shown = refusal && {
    ...refusal,
    fields: refusal.fields.map((fault) => (fault.field === 'name' ? { ...fault, field: 'centreName' } : fault)),
  }
  const isRename = typed?.get('do') === 'rename-centre'
  const asks = fieldsOf(costCentreForm, { ...(!isRename && { typed, refusal: shown }), known: () => '' })
  const openId = isRename ? typed.get('id') : renamedId
  return (
    <section className={styles.part} aria-labelledby="cost-centres">
      <h2 id="cost-centres" className={styles.heading}>
        {t('site.centres')}
      </h2>
      <Setting title={t('site.centres.rule')} state={t(isFree ? 'site.centres.free' : 'site.centres.listed')}>
        {canManage && (
          <form method="post">
            <input type="hidden" name={field('isFree')} value={isFree ? 'no' : 'yes'} />
            <Button look="secondary" size="s" name={field('do')} value="rule">
              {t(isFree ? 'site.centres.restrict' : 'site.centres.allow')}
            </Button>
          </form>
        )}
      </Setting>
      {costCentres.length > 0 && (
        <ul className={styles.cards}>
          {costCentres.map((centre) => (
            <ArchivableCard
              key={centre.id}
              of={centre}
              name={centre.code}
              editHref={`${paths.companySites({}, { centre: centre.id })}#cost-centres`}
              archive="archive-centre"
              hasActions={canManage && centre.id !== openId}
              context={context}
            >
              <p>
                <strong>{centre.code}</strong>
              </p>
              {canManage && centre.id === openId ? (
                <Rename centre={centre} context={context} {...(isRename && { typed, refusal })} />
              ) : (
                centre.name !== '' && <p className={styles.quiet}>{centre.name}</p>
              )}
            </ArchivableCard>
          ))}
        </ul>
      )}
      {canManage && (
        <form method="post" className={`${styles.card} ${styles.form}`}>
          <h3>{t('site.centres.add')}</h3>
          <FormRefusal refusal={isRename ? undefined : shown} />
          <div className={styles.pair}>
            <Field {...asks('code')} label={t('site.centres.code')} hint={t('site.centres.code.hint')} autoComplete="off" />
            <Field {...asks('centreName')} label={t('site.centres.name')} autoComplete="off" className={styles.end} />
          </div>
          <p>
            <Button name={field('do')} value="centre">
              {t('site.centres.save')}
            </Button>
          </p>
        </form>
      )}
    </section>
  )
}

interface RenameProps {
  centre: Pick<CompanySites['costCentres'][number], 'id' | 'name'>
  context: ShopContext
  refusal?: RefusalFragment | undefined
  typed?: FormFields | undefined
}

function Rename({ centre, context: { t }, refusal, typed }: RenameProps): ReactNode {
  const shown = refusal && { ...refusal, fields: refusal.fields.map((fault) => ({ ...fault, field: 'newName' })) }
  const asks = fieldsOf(renameForm, { typed, refusal: shown, known: (name) => (name === 'newName' ? centre.name : '') })
  return (
    <form method="post" className={styles.form}>
      <FormRefusal refusal={shown} />
      <input type="hidden" name={asks('id').name} value={centre.id} />
      <Field {...asks('newName')} label={t('site.centres.name')} hint={t('site.centres.rename.hint')} autoComplete="off" />
      <p className={styles.cardActions}>
        <Button size="s" name={asks('do').name} value="rename-centre">
          {t('site.centres.rename')}
        </Button>
        <ButtonLink look="quiet" size="s" href={`${paths.companySites()}#cost-centres`}>
          {t('account.cancel')}
        </ButtonLink>
      </p>
    </form>
  )
}
