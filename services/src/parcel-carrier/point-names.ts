import type { AddressCountry } from '@purlin/contract/addresses.ts'

interface Names {
  locker: string
  shops: readonly string[]
  streets: readonly string[]
  /** The house number comes before the street. */
  isNumberFirst: boolean
  /** Closed over midday, as shops are in the south. */
  siesta: readonly [closes: string, opens: string] | null
}

/** Shops that hold parcels, and the streets they are in; all invented. */
export const pointNames: Record<AddressCountry, Names> = {
  GB: {
    locker: 'Purlin Locker',
    shops: [
      'Harrow News',
      'Oakley Convenience',
      'Bell & Bramble Flowers',
      'Copper Kettle Café',
      'Fettle Key Cutting',
      'Marlow Dry Cleaners',
    ],
    streets: ['High Street', 'Station Road', 'Church Lane', 'Mill Road', 'Victoria Street', 'Park Avenue', 'King Street', 'Bridge Road'],
    isNumberFirst: true,
    siesta: null,
  },
  DE: {
    locker: 'Purlin Paketfach',
    shops: ['Kiosk am Eck', 'Schreibwaren Lindner', 'Blumen Hagedorn', 'Getränke Wolters', 'Reinigung Silberhain', 'Lotto & Presse Ahrens'],
    streets: ['Bahnhofstraße', 'Hauptstraße', 'Gartenweg', 'Schulstraße', 'Lindenallee', 'Bergstraße', 'Marktplatz', 'Mühlenweg'],
    isNumberFirst: false,
    siesta: null,
  },
  FR: {
    locker: 'Consigne Purlin',
    shops: [
      'Tabac Presse des Halles',
      'Épicerie Valmy',
      'Fleurs de Lison',
      'Pressing du Marché',
      'Librairie Montclair',
      'Cordonnerie Delage',
    ],
    streets: [
      'rue de la Gare',
      'avenue de la République',
      'rue des Lilas',
      'place du Marché',
      'rue Pasteur',
      'boulevard Gambetta',
      'rue du Moulin',
      'rue des Écoles',
    ],
    isNumberFirst: true,
    siesta: ['12:30:00', '14:30:00'],
  },
  ES: {
    locker: 'Taquilla Purlin',
    shops: [
      'Papelería Olmedo',
      'Estanco La Fuente',
      'Floristería Azahar',
      'Ultramarinos Cifuentes',
      'Copistería Prado',
      'Ferretería Tres Llaves',
    ],
    streets: [
      'Calle Mayor',
      'Calle de la Estación',
      'Avenida de la Constitución',
      'Calle del Carmen',
      'Plaza de España',
      'Calle San Juan',
      'Calle Real',
      'Paseo del Parque',
    ],
    isNumberFirst: false,
    siesta: ['14:00:00', '17:00:00'],
  },
  IT: {
    locker: 'Armadietto Purlin',
    shops: [
      'Tabaccheria Bonetti',
      'Edicola della Piazza',
      'Cartoleria Fiorini',
      'Alimentari Rosselli',
      'Lavanderia Candida',
      'Ferramenta Due Torri',
    ],
    streets: [
      'Via Roma',
      'Via Garibaldi',
      'Corso Italia',
      'Via della Stazione',
      'Piazza Dante',
      'Via Mazzini',
      'Via Verdi',
      'Viale dei Tigli',
    ],
    isNumberFirst: false,
    siesta: ['13:00:00', '15:30:00'],
  },
}
