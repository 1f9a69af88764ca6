import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.xml.sax.SAXException;

/** Holds documents against a schema: `java Validate.java schema.xsd document.xml ...` prints `valid`, or the first fault, in a line for each. */
public final class Validate {
  public static void main(String[] files) throws Exception {
    Validator validator = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(files[0])).newValidator();
    for (int index = 1; index < files.length; index++) {
      try {
        validator.validate(new StreamSource(new File(files[index])));
        System.out.println("valid");
      } catch (SAXException fault) {
        System.out.println(fault.getMessage());
      }
    }
  }
}
