import { Disclosure, Facts, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import type { ShownProductFragment } from '../generated/documents.ts'
import styles from './product.module.css'

type SheetProduct = Pick<ShownProductFragment, 'description' | 'attributes' | 'documents' | 'safety' | 'brand' | 'ean' | 'mpn' | 'weightKg'>

/** Seller-independent data of a product: description, data, documents, safety. */
export function Sheet({ product, context }: { product: SheetProduct; context: ShopContext }): ReactNode {
  const { t, formats } = context
  const { safety } = product
  return (
    <div className={styles.sheet}>
      <Disclosure title={t('product.description')} open id="description">
        <div className={styles.prose}>
          {product.description.split('\n\n').map((part, index) => (
            <p key={index}>{part}</p>
          ))}
        </div>
      </Disclosure>
      <Disclosure title={t('product.data')} open id="data">
        <Facts
          facts={[
            ...product.attributes.map(({ label, value, unit }) => ({ label, value: unit ? `${value} ${unit}` : value })),
            ...(product.brand ? [{ label: t('product.brand'), value: <a href={product.brand.url}>{product.brand.name}</a> }] : []),
            { label: t('product.weight'), value: `${formats.number(product.weightKg)} kg` },
            { label: 'EAN', value: product.ean },
            { label: t('product.mpn'), value: product.mpn },
          ]}
        />
      </Disclosure>
      {product.documents.length > 0 && (
        <Disclosure title={t('product.documents')} id="documents">
          <ul className={styles.documents}>
            {product.documents.map((document) => (
              <li key={document.url}>
                <a href={document.url} hrefLang={document.language}>
                  <Icon name="document" />
                  {document.label}
                  <small>({document.language.toUpperCase()})</small>
                </a>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      <Disclosure title={t('product.safety')} id="safety">
        {safety.warnings.length > 0 && (
          <ul className={styles.warnings}>
            {safety.warnings.map((warning) => (
              <li key={warning}>
                <Icon name="warning" size={18} />
                {warning}
              </li>
            ))}
          </ul>
        )}
        <Facts
          facts={[
            { label: t('product.manufacturer'), value: `${safety.manufacturer}, ${safety.address}` },
            { label: t('product.safety-contact'), value: <a href={`mailto:${safety.email}`}>{safety.email}</a> },
            ...(safety.responsiblePerson ? [{ label: t('product.responsible'), value: safety.responsiblePerson }] : []),
          ]}
        />
      </Disclosure>
    </div>
  )
}
