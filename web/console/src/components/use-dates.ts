/** The calendar's names of days and months in the console's language. */
import 'dayjs/locale/kk';
import 'dayjs/locale/ru';
import { useSpoken } from '../app/language.ts';

export function useDates() {
  const { language, texts } = useSpoken();
  return {
    locale: language,
    firstDayOfWeek: 1 as const,
    ariaLabels: {
      nextMonth: texts.dates.nextMonth,
      previousMonth: texts.dates.previousMonth,
      nextYear: texts.dates.nextYear,
      previousYear: texts.dates.previousYear,
      nextDecade: texts.dates.nextDecade,
      previousDecade: texts.dates.previousDecade,
      monthLevelControl: texts.dates.months,
      yearLevelControl: texts.dates.years,
    },
  };
}
