import java.io.File;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Checks files by the rules of PDF/UA-1 with veraPDF. Arguments: their paths. Ends with 1 when a file breaks one. */
public class Check {
  public static void main(String[] paths) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean areCompliant = true;
    for (String path : paths) areCompliant &= check(path);
    System.exit(areCompliant ? 0 : 1);
  }

  private static boolean check(String path) throws Exception {
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new File(path), PDFAFlavour.PDFUA_1);
        PDFAValidator validator = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFUA_1, false)) {
      ValidationResult result = validator.validate(parser);
      String name = new File(path).getName();
      System.out.printf("%s %s, %d checks%n", result.isCompliant() ? "ok  " : "FAIL", name, result.getTotalAssertions());
      for (TestAssertion assertion : result.getTestAssertions()) {
        if (assertion.getStatus() != TestAssertion.Status.FAILED) continue;
        System.out.printf("     %s: %s%n", assertion.getRuleId().getClause(), assertion.getMessage());
      }
      return result.isCompliant();
    }
  }
}
